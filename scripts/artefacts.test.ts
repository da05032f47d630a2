import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { artefacts } from './artefacts.ts';

it.each(artefacts().map((artefact) => [artefact.path, artefact] as const))('%s is what the sources say; npm run generate rewrites it', async (path, { content }) => {
  expect(await readFile(join(dirname(import.meta.dirname), path), 'utf8')).toBe(content);
});
