import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { liveHandles } from '../dist/index.js';

const here = dirname(fileURLToPath(import.meta.url));

/** Collects garbage until a condition holds: finalizers run some ticks later. */
export async function collected(done) {
  for (let round = 0; round < 50; round++) {
    globalThis.gc();
    await sleep(2);
    if (done()) return;
  }
  throw new Error('what was dropped is still alive');
}

/** Runs a body, and waits until every handle that it made is gone. */
export async function balanced(body) {
  await collected(() => true);
  const before = liveHandles();
  await body();
  await collected(() => liveHandles() <= before);
}

/** Runs a body with a folder of its own. */
export async function withFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'hurray-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The plain-C addon, built against the package's own library. */
export function addon() {
  const out = join(here, '../dist/test');
  mkdirSync(out, { recursive: true });
  const target = join(out, 'addon.node');
  const include = ['../../../hurray-ffi/include', '../node_modules/node-api-headers/include'];
  execFileSync('gcc', [
    '-std=c11', '-Wall', '-Wextra', '-Werror', '-fPIC', '-shared', '-DNAPI_VERSION=8', '-DNODE_GYP_MODULE_NAME=addon',
    ...include.flatMap((folder) => ['-I', join(here, folder)]),
    join(here, 'addon/addon.c'), '-o', target,
    `-L${join(here, '../dist')}`, '-l:libhurray.so.10', '-Wl,-rpath,$ORIGIN/..',
  ]);
  return createRequire(import.meta.url)(target);
}
