// DLPack's structs.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Tensor } from '../dist/index.js';
import { bytesOf, hexOf, wides } from './form.mjs';
import * as make from './make.mjs';
import * as show from './show.mjs';

const structs = createRequire(import.meta.url)('../dist/structs.node');

export function exportStruct({ item, versioned }) {
  const tensor = make.item(item);
  let external;
  try {
    external = tensor.toDLPack({ versioned });
  } finally {
    tensor.close(); // the struct alone keeps it
  }
  const { major, minor, flags, shape, strides, values, byte_offset: offset, ...rest } = structs.read(external, versioned);
  const struct = {
    ...(versioned ? { version: [major, minor], flags: String(flags) } : {}),
    ...rest,
    shape: wides(shape),
    ...(strides ? { strides: wides(strides) } : {}),
    byte_offset: String(offset),
  };
  return { struct, values: hexOf(values) };
}

/** How often the deleter ran, when everything unreachable is collected. */
async function deletions() {
  for (let round = 0; round < 5 && structs.deleted() === 0; round++) {
    globalThis.gc();
    await sleep(1);
  }
  return structs.deleted();
}

export async function importStruct({ struct, data, versioned }) {
  const [major = 0, minor = 0] = struct.version ?? [];
  const fields = {
    ...struct,
    major,
    minor,
    flags: Number(struct.flags ?? 0),
    byte_offset: Number(struct.byte_offset),
    shape: struct.shape?.map(BigInt),
    strides: struct.strides?.map(BigInt),
  };
  const external = structs.make(fields, bytesOf(data), versioned);
  try {
    const tensor = Tensor.fromDLPack(external);
    const item = show.item(tensor);
    tensor.close();
    return { item, deleted: await deletions() };
  } catch (error) {
    error.beside = { deleted: structs.deleted() };
    throw error;
  }
}
