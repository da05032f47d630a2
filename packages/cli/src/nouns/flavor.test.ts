import { expect, it } from 'vitest';

import { flavor } from './flavor.ts';

it.each([
  [{ memory: 8 }, '8 GiB'],
  [{ memory: 0, memoryMiB: 512 }, '512 MiB'],
  [{ memory: 1, memoryMiB: 1536 }, '1536 MiB'],
])('the memory of %j is shown as %s', (size, text) => {
  const shown = {
    metadata: { id: 'f', name: 'f', creationTime: '2026-01-01T00:00:00Z' },
    spec: { architecture: 'x86_64' as const, cpus: 1, disk: 1, ...size },
  };
  expect(flavor.columns.find(({ header }) => header === 'MEMORY')?.value(shown)).toBe(text);
});
