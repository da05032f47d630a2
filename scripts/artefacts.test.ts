import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { artefacts } from './artefacts.ts';

const wanted = await artefacts();

it.each(wanted.map((artefact) => [artefact.path, artefact] as const))(
  '%s is what the sources say; npm run generate rewrites it',
  async (path, { content }) => {
    expect(await readFile(join(dirname(import.meta.dirname), path), 'utf8')).toBe(content);
  },
);

it('deploy/crds holds the definitions of the kinds there are, and of none that went', async () => {
  const folder = 'deploy/crds';
  const present = (await readdir(join(dirname(import.meta.dirname), folder))).map((name) => `${folder}/${name}`);
  expect(present.toSorted()).toEqual(
    wanted
      .map(({ path }) => path)
      .filter((path) => path.startsWith(folder))
      .toSorted(),
  );
});
