import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = dirname(dirname(import.meta.dirname));

/**
 * A fresh clone of this repository as a user would have it: its own files, and the installed dependencies of this one.
 */
export function freshCheckout(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'unikorn-checkout-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0'))
    if (file !== '' && existsSync(join(root, file)))
      cpSync(join(root, file), join(path, file), { recursive: true, verbatimSymlinks: true });
  linkModules(join(root, 'node_modules'), join(path, 'node_modules'));
  for (const own of globSync(['{packages,examples}/*/node_modules', 'bench/node_modules'], { cwd: root }))
    linkModules(join(root, own), join(path, own));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Links between packages of the workspace stay within the copy. Other modules link to their installed location. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) cpSync(source, target);
    else if (entry.name.startsWith('@') || entry.name === '.bin') linkModules(source, target);
    else if (!entry.name.startsWith('.')) symlinkSync(source, target);
  }
}
