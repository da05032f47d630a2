import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { expect, it } from 'vitest';

import { examineState } from './examine.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();

async function closedState(): Promise<string> {
  const path = scratchPath();
  await (await openScratchStore(path)).close();
  return path;
}

it('a state is complete and in use while it is open, and not in use once it is closed', async () => {
  const path = scratchPath();
  expect(examineState(path)).toEqual({ inUse: false });
  const store = await openScratchStore(path);
  expect(examineState(path)).toEqual({ inUse: true });
  await store.close();
  expect(examineState(path)).toEqual({ inUse: false });
});

it('an examination leaves nothing behind, and does not prevent opening the state', async () => {
  const path = await closedState();
  const before = readdirSync(dirname(path));
  examineState(path);
  expect(readdirSync(dirname(path))).toEqual(before);
  await (await openScratchStore(path)).close();
});

it('a damaged state is reported, and is not changed', async () => {
  const path = await closedState();
  // Everything except the first page, which identifies a state.
  const bytes = readFileSync(path).fill(0xff, 4096);
  writeFileSync(path, bytes);
  expect(examineState(path).damage).toContain(`${path} is damaged`);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

it('a file that is not a state is reported as such', () => {
  const path = scratchPath();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'a letter to a friend');
  expect(examineState(path).damage).toContain('is not a Unikorn state');
});
