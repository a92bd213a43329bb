// Lets the conformance suite use the Node package; `conformance/PROTOCOL.md` says what is asked and answered.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf, hexOf } from './form.mjs';

const require = createRequire(import.meta.url);

async function load() {
  try {
    const hurray = await import('../dist/index.js');
    const [convert, files, make, show, structs] = await Promise.all(
      ['convert', 'files', 'make', 'show', 'structs'].map((name) => import(`./${name}.mjs`)),
    );
    return { hurray, convert, files, make, show, structs };
  } catch (refused) {
    return { refused };
  }
}

const { hurray, convert, files, make, show, structs, refused } = await load();

function* inputs({ inputs: listed, base, cuts, flips }) {
  if (listed) return void (yield* listed.map(bytesOf));
  const whole = bytesOf(base);
  for (const cut of cuts) yield whole.subarray(0, cut);
  for (const flip of flips) {
    const flipped = Buffer.from(whole);
    flipped[flip >> 3] ^= 1 << (flip & 7);
    yield flipped;
  }
}

function visit(what, bytes, options) {
  if (what === 'decode') hurray.Descriptor.decode(bytes, files.options(options));
  else files.visit(what, bytes, options);
}

/** Typed arrays of the element types that JavaScript has; bytes for all others. */
const CLASSES = {
  int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, float16: Uint16Array, bfloat16: Uint16Array, float32: Float32Array,
  float64: Float64Array, complex64: Float32Array, complex128: Float64Array,
};

function array({ dtype, shape, data }) {
  const memory = Uint8Array.from(bytesOf(data)).buffer;
  const own = new (CLASSES[dtype] ?? Uint8Array)(memory);
  const tensor = hurray.Tensor.from(own, { dtype, shape: shape.map(BigInt), copy: false });
  const view = tensor.data();
  let shared = true;
  if (view.byteLength > 0) {
    const [there, here] = [new Uint8Array(view.buffer), new Uint8Array(memory)];
    here[0] ^= 1;
    shared = there[0] === here[0];
    here[0] ^= 1;
  }
  return { item: show.item(tensor), values: hexOf(view), shared };
}

function foreign({ library, version }) {
  const addon = require('../dist/foreign.node');
  const external = addon.handle(library, version);
  try {
    hurray.Tensor.import(external);
  } catch (error) {
    error.beside = { calls: addon.calls(external) };
    throw error;
  }
  return { calls: addon.calls(external) };
}

/** The live handles, when everything unreachable is collected. */
async function settled() {
  for (let round = 0; round < 5 && hurray.liveHandles() > 0n; round++) {
    globalThis.gc();
    await sleep(1);
  }
  return Number(hurray.liveHandles());
}

const OPS = {
  hello: () => ({ language: 'node', abi_version: hurray.abiVersion, library: hurray.libraryPath }),
  decode({ bytes, permissive }) {
    const descriptor = hurray.Descriptor.decode(bytesOf(bytes), { permissive: Boolean(permissive) });
    return { descriptor: show.descriptor(descriptor), bytes: hexOf(descriptor.encode()) };
  },
  build({ item: given }) {
    const item = make.item(given);
    return { item: show.item(item), bytes: hexOf(item.descriptor.encode()) };
  },
  bind({ descriptor, buffers }) {
    const data = buffers.map((hex) => Uint8Array.from(bytesOf(hex)));
    return { item: show.item(hurray.Tensor.fromDescriptor(hurray.Descriptor.decode(bytesOf(descriptor)), data)) };
  },
  array,
  read_file: (request) => files.readFile(request),
  write_file: (request) => files.writeFile(request),
  read_stream: (request) => files.readStream(request),
  write_stream: (request) => files.writeStream(request),
  async dlpack_export(request) {
    const before = await settled();
    const answer = structs.exportStruct(request);
    return { ...answer, live: (await settled()) - before };
  },
  dlpack_import: (request) => structs.importStruct(request),
  convert: (request) => convert.convert(request),
  describe: ({ item }) => ({ text: String(make.item(item)) }),
  batch(request) {
    const statuses = Array.from(inputs(request), (bytes) => {
      try {
        visit(request.what, bytes, request.options);
        return 0;
      } catch (error) {
        if (error instanceof hurray.HurrayError) return error.status;
        throw error;
      }
    });
    return { statuses };
  },
  foreign,
  live_handles: async () => ({ count: await settled() }),
  quit: () => ({}),
};

async function answer(request) {
  if (refused?.status) return { status: refused.status, message: refused.message };
  if (refused) return { fault: `${refused}` };
  if (!OPS[request.op]) return { fault: `no op is named ${request.op}` };
  try {
    return { ...(await OPS[request.op](request)), status: 0 };
  } catch (error) {
    if (error instanceof hurray.HurrayError) return { ...error.beside, status: error.status, message: error.message };
    return { fault: `${error}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await answer(request))}\n`);
  if (request.op === 'quit') break;
}
