// Calls on the pool: stopped by a signal, and with reports. Nothing here depends on how long a call takes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Tensor, save } from '../dist/index.js';
import { balanced, collected, withFolder } from './support.mjs';

const columns = () => Tensor.from(new Float32Array(1 << 16), { shape: [256, 256], strides: [1, 256] });

/** Runs a body while every thread of the pool waits for the other end of a pipe. */
function withBusyPool(body) {
  return withFolder(async (folder) => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const readers = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, () => open(pipe, 'r'));
    const done = body();
    closeSync(openSync(pipe, 'w'));
    for (const reader of await Promise.all(readers)) await reader.close();
    await done;
  });
}

test('a signal stops what was started', () =>
  balanced(async () => {
    await withBusyPool(async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const calls = [
        columns().toLayout(null, { signal: controller.signal }),
        columns().checkData({ signal: controller.signal }),
        columns().withStatistics({ signal: controller.signal }),
      ];
      const others = columns().toLayout();
      controller.abort(reason);
      // Elements alone have nothing to check, so that call may be through before it looks at the signal.
      const [first, , third] = await Promise.allSettled(calls);
      assert.deepEqual(first, { status: 'rejected', reason });
      assert.deepEqual(third, { status: 'rejected', reason });
      assert.equal((await others).movedBytes, 262144n);
    });
  }));

test('an array whose last tensor ends on a thread of the pool is let go', async () => {
  let released = 0;
  const registry = new FinalizationRegistry(() => released++);
  let pending;
  (() => {
    const array = new Float32Array(1 << 16);
    registry.register(array.buffer, 0);
    const tensor = Tensor.from(array, { shape: [256, 256], strides: [1, 256] });
    pending = tensor.toLayout();
    tensor.close(); // the share of the thread is the last one
  })();
  assert.equal((await pending).movedBytes, 262144n);
  await collected(() => released === 1);
});

test('b100: a worker ends while a thread of the pool has its arrays', () =>
  balanced(async () => {
    const path = JSON.stringify(createRequire(import.meta.url).resolve('../dist/index.js'));
    const body = `
      const { Tensor } = require(${path});
      for (let k = 0; k < 20; k++) {
        const tensor = Tensor.from(new Float32Array(1 << 16), { shape: [256, 256], strides: [1, 256] });
        tensor.toLayout();
        tensor.close();
      }
      require('node:worker_threads').parentPort.postMessage(0);`;
    for (let round = 0; round < 3; round++) {
      const worker = new Worker(body, { eval: true });
      await once(worker, 'message');
      await worker.terminate();
    }
  }));

test('a signal that came before, and one that never comes', async () => {
  const tensor = columns();
  await assert.rejects(tensor.toLayout(null, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  const { signal } = new AbortController();
  assert.equal((await tensor.toLayout(null, { signal })).movedBytes, 262144n);
  await assert.rejects(tensor.pack('int4', { signal }), { code: 'HURRAY_ERR_INVALID_TYPE' });
});

test('the last report says that all is done', async () => {
  const reports = [];
  await columns().toLayout(null, { onProgress: (done, total) => reports.push([done, total]) });
  assert.deepEqual(reports.at(-1), [262144n, 262144n]);
});

test('what a report throws is what the call fails with', async () => {
  const error = new Error('of the report');
  const onProgress = () => {
    throw error;
  };
  await assert.rejects(columns().toLayout(null, { onProgress }), error);
});

test('a file that is given up is no file', () =>
  withFolder((folder) =>
    balanced(async () => {
      const controller = new AbortController();
      const items = function* () {
        yield ['a', Tensor.from(new Float32Array(1024))];
        controller.abort(new Error('enough'));
        yield ['b', Tensor.from(new Float32Array(1024))];
      };
      await assert.rejects(save(join(folder, 'a.hrry'), items(), { signal: controller.signal }), /enough/);
      assert.deepEqual(readdirSync(folder), []);
      const reports = [];
      const onProgress = (done, total) => reports.push([done, total]);
      await save(join(folder, 'b.hrry'), { a: Tensor.from(new Float32Array(1024)) }, { onProgress });
      const [done, total] = reports.at(-1);
      assert.equal(done, total);
      assert.ok(done >= 4096n);
    }),
  ));
