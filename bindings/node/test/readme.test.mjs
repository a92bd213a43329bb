// Every program of README.md runs, and prints what stands below it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withFolder } from './support.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...page.matchAll(/^```js\n(.*?)^```\n(?:\n```text\n(.*?)^```)?/gms)];

assert.ok(blocks.length > 1);
for (const [k, [, program, expected = '']] of blocks.entries()) {
  test(`README, program ${k + 1}`, () =>
    withFolder((folder) => {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules/hurray'));
      writeFileSync(join(folder, 'program.mjs'), program);
      assert.equal(execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' }), expected);
    }));
}
