// The package as a whole: which functions of the header it reaches, and that its lists are not out of date.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

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
