// The package as a whole: which functions of the header it reaches, and that its lists are not out of date.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFolder } from './support.mjs';

const here = new URL('.', import.meta.url).pathname;
const require = createRequire(import.meta.url);

test('every function of the header is called, or listed with a reason', () => {
  const header = readFileSync(join(here, '../../../hurray-ffi/include/hurray.h'), 'utf8');
  const functions = new Set(header.match(/\bhurray_\w+(?=\()/g));
  const symbols = execFileSync('nm', ['--dynamic', '--undefined-only', join(here, '../dist/hurray.node')], { encoding: 'utf8' });
  const called = new Set(symbols.match(/\bhurray_\w+/g));
  const listed = readFileSync(join(here, '../not-wrapped.txt'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(/\s+/)[0]);
  const pattern = (entry) => new RegExp(`^${entry.replaceAll('*', '\\w*')}$`);
  for (const name of functions) {
    const entry = listed.find((one) => pattern(one).test(name));
    assert.ok(called.has(name) !== Boolean(entry), `${name} is ${entry ? 'called, but listed' : 'neither called nor listed'}`);
  }
  for (const entry of listed) assert.ok([...functions].some((name) => pattern(entry).test(name)), `${entry} is not in the header`);
});

test('the packed package holds what it needs, and works elsewhere', () =>
  withFolder((folder) => {
    const pack = ['pack', '--json', '--pack-destination', folder];
    const [{ filename, files }] = JSON.parse(execFileSync('npm', pack, { cwd: join(here, '..'), encoding: 'utf8' }));
    const names = files.map((file) => file.path);
    for (const name of ['dist/index.js', 'dist/index.d.ts', 'dist/hurray.node', 'dist/libhurray.so.10', 'README.md']) {
      assert.ok(names.includes(name), name);
    }
    assert.deepEqual(names.filter((name) => /^dist\/.*\/|\.mjs$|\.c$|\.rs$/.test(name)), []);
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', modules]);
    renameSync(join(modules, 'package'), join(modules, 'hurray'));
    const body = 'console.log(`${Tensor.from(new Float32Array(2))} ${libraryPath}`)';
    writeFileSync(join(folder, 'a.mjs'), `import { Tensor, libraryPath } from 'hurray'; ${body}`);
    writeFileSync(join(folder, 'b.cjs'), `const { Tensor, libraryPath } = require('hurray'); ${body}`);
    for (const program of ['a.mjs', 'b.cjs']) {
      const printed = execFileSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
      const library = join(realpathSync(modules), 'hurray/dist/libhurray.so.10');
      assert.equal(printed, `float32 [2] row_major cpu 8 bytes ${library}\n`);
    }
  }));

test('the list of constants is the native one', () => {
  const { NAMES } = require('../dist/constants.js');
  const { native } = require('../dist/native.js');
  assert.deepEqual([...NAMES].sort(), Object.keys(native.constants()).sort());
});

test('the declarations of the native module are those that are committed', () => {
  const built = readFileSync(join(here, '../dist/addon.d.ts'), 'utf8');
  const committed = readFileSync(join(here, '../lib/addon.d.ts'), 'utf8');
  assert.equal(built, committed, 'run `HURRAY_UPDATE=1 make test-node`');
});
