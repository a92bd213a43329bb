// The package beside the same calls by hand. Rows go to standard output as tab-separated values, which tools/bench.py
// turns into the table. Rounds of the two alternate; garbage is collected between them, outside the clock.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setImmediate as tick } from 'node:timers/promises';
import { Tensor, openSync, saveSync } from '../dist/index.js';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '../../../build/bench');
mkdirSync(out, { recursive: true });

function byHand() {
  const target = join(out, 'by_hand.node');
  const folders = ['../../../hurray-ffi/include', '../node_modules/node-api-headers/include'];
  const include = folders.flatMap((folder) => ['-I', join(here, folder)]);
  const link = [`-L${join(here, '../dist')}`, '-l:libhurray.so.10', `-Wl,-rpath,${join(here, '../dist')}`];
  const shared = ['-std=c11', '-O2', '-fPIC', '-shared', '-DNAPI_VERSION=8', '-DNODE_GYP_MODULE_NAME=by_hand'];
  execFileSync('gcc', [...shared, ...include, join(here, 'by_hand.c'), '-o', target, ...link]);
  return createRequire(import.meta.url)(target);
}

async function timed(call, calls) {
  globalThis.gc();
  await tick();
  const start = process.hrtime.bigint();
  for (let k = 0; k < calls; k++) call();
  return Number(process.hrtime.bigint() - start) / calls;
}

async function row(name, bar, ours, theirs, calls, unit = 'ns', divide = 1) {
  const [a, b] = [[], []];
  for (let round = 0; round < 21; round++) {
    a.push((await timed(ours, calls)) / divide);
    b.push((await timed(theirs, calls)) / divide);
  }
  for (const times of [a, b]) times.sort((x, y) => x - y);
  console.log([name, bar, a[0], b[0], a[10], b[10], unit].join('\t'));
}

const hand = byHand();
const array = new Float32Array(1024);
const shape = [1024];
await row(
  'Node: wrap + export + destroy (by hand)',
  2,
  () => {
    const tensor = Tensor.from(array, { shape });
    tensor.export();
    tensor.close();
  },
  () => hand.exchange(array),
  1000,
);

const tensor = Tensor.from(array, { shape });
const external = hand.exchange(array);
await row('Node: view back (by hand)', 1.5, () => tensor.data(), () => hand.view(external), 1000);

const numbers = new Float32Array(1 << 24).fill(1);
const path = join(out, 'node.hrry');
saveSync(path, { numbers: Tensor.from(numbers) }, { durable: false });
const sum = (values) => {
  let total = 0;
  for (let k = 0; k < values.length; k++) total += values[k];
  return total;
};
await row(
  'Node: map a file of 64 MiB + sum (sum of an own array)',
  1.2,
  () => sum(openSync(path).tensor(0).data()),
  () => sum(numbers),
  1,
  'ms',
  1e6,
);
rmSync(path);
