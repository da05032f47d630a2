import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The folder of this package. */
export const packageFolder = join(import.meta.dirname, '../..');

/** The finished pages. */
export const distFolder = join(packageFolder, 'dist');

/** The file in the finished pages that says from which sources they were built. */
export const stampFile = join(distFolder, 'source-hash');

/** Everything that the pages are built from. Versions of libraries are in the lock file. */
const sources = ['index.html', 'public', 'src', '../sdk/src', '../../package-lock.json'];

/** Files that are not part of the pages. */
const others = /(^|\/)src\/server\/|\.(test|fixture)\.tsx?$/;

/** A digest of all sources of the pages; undefined in an installed package, which has no sources. */
export async function sourceHash(): Promise<string | undefined> {
  try {
    const files = (await Promise.all(sources.map((source) => filesIn(join(packageFolder, source))))).flat();
    const named = files
      .map((file) => ({ file, name: relative(packageFolder, file) }))
      .filter(({ name }) => !others.test(name))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const hash = createHash('sha256');
    for (const { file, name } of named) hash.update(`${name}\0`).update(await readFile(file));
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

/** Whether the finished pages fit the sources. In an installed package they always do. */
export async function isCurrent(): Promise<boolean> {
  const [built, hash] = await Promise.all([readFile(stampFile, 'utf8').catch(() => undefined), sourceHash()]);
  return built !== undefined && (hash === undefined || hash === built);
}

async function filesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
