import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { artefacts } from './artefacts.ts';

const root = dirname(import.meta.dirname);
for (const { path, content } of await artefacts()) {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  console.log(`wrote ${path}`);
}
