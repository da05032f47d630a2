import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Terminal } from '../terminal.ts';
import { formatContexts, parseContexts, type Contexts } from './contexts.ts';
import { locked } from './lock.ts';

export function contextsFile({ configDirectory }: Pick<Terminal, 'configDirectory'>): string {
  return join(configDirectory, 'config.yaml');
}

export async function readContexts(terminal: Pick<Terminal, 'configDirectory'>): Promise<Contexts> {
  const file = contextsFile(terminal);
  return parseContexts(await textOf(file), file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Changes the file as it is now: commands that do so at the same time wait for each other, so that none undoes another's change. */
export async function changeContexts(terminal: Pick<Terminal, 'configDirectory' | 'sleep' | 'signal'>, change: (contexts: Contexts) => Contexts | Promise<Contexts>): Promise<Contexts> {
  const file = contextsFile(terminal);
  await mkdir(terminal.configDirectory, { recursive: true, mode: 0o700 });
  return locked(`${file}.lock`, terminal, async () => {
    const before = await readContexts(terminal);
    const after = await change(before);
    if (after !== before) await replace(file, formatContexts(after));
    return after;
  });
}

/** Written beside and renamed, so that a reader never sees half of it; for its owner alone. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}
