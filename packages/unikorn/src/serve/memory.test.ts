import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

/** Holds many objects for a while, as a start does. */
const program = `
import { giveBackMemory } from ${JSON.stringify(join(import.meta.dirname, 'memory.ts'))};
let held = Array.from({ length: 400_000 }, (_, index) => ({ index, text: 'number ' + index }));
const before = process.memoryUsage().heapUsed;
held = undefined;
await giveBackMemory();
console.log(JSON.stringify({ before, after: process.memoryUsage().heapUsed }));
`;

it('the memory of a start is released', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  expect(after).toBeLessThan(before / 2);
});
