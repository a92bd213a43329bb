// Handles from and to other addons: a plain-C one, and another thread's package.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { HurrayError, Tensor, abiVersion, exportSymbol, libraryPath, version } from '../dist/index.js';
import { addon, balanced, collected } from './support.mjs';

const c = addon();

test('a C addon takes a tensor', async () => {
  await balanced(() => {
    const tensor = Tensor.from(new Float32Array([1, 2, 3.5]));
    const external = tensor[exportSymbol]();
    assert.equal(c.sum(external), 6.5);
    assert.throws(() => c.sum(external), /consumed/);
    assert.throws(() => Tensor.import(external), (error) => error.code === 'HURRAY_ERR_INVALID_HANDLE');
    assert.throws(() => c.sum({}), /no tensor/);
    tensor.close();
  });
});

test('a C addon gives a tensor', async () => {
  await balanced(() => {
    const tensor = Tensor.import(c.make());
    assert.deepEqual([...tensor.data()], [0, 1, 2, 3]);
    c.make(); // dropped unconsumed
  });
});

test('an object with the symbol is taken like another tensor', () => {
  const source = { [Symbol.for('hurray.tensor')]: () => c.make() };
  assert.deepEqual([...Tensor.import(source).data()], [0, 1, 2, 3]);
  const tensor = Tensor.from(new Float32Array([1]));
  assert.deepEqual([...Tensor.import(tensor).data()], [1]);
});

test('what is no external is refused', () => {
  for (const wrong of [{}, [], new Map(), () => 1]) assert.throws(() => Tensor.import(wrong), HurrayError);
});

test('CommonJS and ESM are one package', () => {
  const required = createRequire(import.meta.url)('../dist/index.js');
  assert.equal(required.Tensor, Tensor);
  assert.equal(abiVersion, 10);
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.match(libraryPath, /dist\/libhurray\.so\.10$/);
});

test('b100: a worker makes tensors, drops them at its end, and the process goes on', async () => {
  const path = JSON.stringify(createRequire(import.meta.url).resolve('../dist/index.js'));
  const body = `
    const { Tensor } = require(${path});
    const kept = [];
    for (let k = 0; k < 100; k++) {
      const tensor = Tensor.from(new Float32Array(1024));
      kept.push(tensor, tensor.data(), tensor.export());
    }
    globalThis.kept = kept;
    require('node:worker_threads').parentPort.postMessage(kept[1].length);`;
  for (let round = 0; round < 3; round++) {
    const worker = new Worker(body, { eval: true });
    const [length] = await new Promise((resolve, reject) => {
      worker.once('message', (...message) => resolve(message));
      worker.once('error', reject);
    });
    assert.equal(length, 1024);
    await worker.terminate();
  }
});

test('b102, b107: what is too long for an ArrayBuffer is let go once, in parts it is read', async () => {
  const before = c.gone();
  await balanced(async () => {
    const tensor = Tensor.import(c.vast());
    const tooLong = (error) => error.code === 'HURRAY_ERR_LIMIT_EXCEEDED' && /5368709120/.test(error.message);
    for (const options of [{}, { copy: true }]) {
      assert.throws(() => tensor.data(options), tooLong);
      assert.throws(() => tensor.view(options), tooLong);
      assert.throws(() => tensor.buffer(0, options), tooLong);
    }
    const part = tensor.slice([[2 ** 32 + 1, 2 ** 32 + 3]]).data();
    part[1] = 7;
    assert.deepEqual([...tensor.slice([[-(2 ** 30) + 1, -(2 ** 30) + 4]]).data()], [0, 7, 0]);
    assert.equal(c.gone(), before);
    tensor.close();
  });
  await collected(() => c.gone() === before + 1);
});

test('b105: an error inside is an error outside, and the process goes on', () => {
  const tensor = Tensor.from(new Float32Array(2));
  const hostile = { valueOf: () => { throw new Error('of the value'); } };
  assert.throws(() => Tensor.from(new Float32Array(2), { offset: hostile }), Error);
  assert.throws(() => Tensor.from(new Float32Array(2), { shape: [hostile] }), Error);
  assert.throws(() => tensor.part(hostile), Error);
  assert.throws(() => new Tensor({}).shape, HurrayError);
  assert.throws(() => new Tensor(c.make()).shape, HurrayError); // another addon's external is no handle
  assert.deepEqual([...tensor.data()], [0, 0]);
});

test('b100: an array that is given to a port stays where it is', () =>
  balanced(() => {
    const tensor = Tensor.from(new Float32Array([1, 2]));
    const view = tensor.data();
    const { port1 } = new MessageChannel();
    try {
      port1.postMessage(view, [view.buffer]);
    } catch (error) {
      assert.equal(error.name, 'DataCloneError');
    }
    port1.close();
    assert.deepEqual([...tensor.data()], [1, 2]);
  }));

test('an external does not cross to a worker', () => {
  const external = Tensor.from(new Float32Array(1)).export();
  assert.throws(() => structuredClone(external), /could not be cloned/);
});
