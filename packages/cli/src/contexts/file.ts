import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import type { Contexts } from './contexts.ts';
import { locked } from './lock.ts';

export function contextsFile({ configDirectory }: Pick<Terminal, 'configDirectory'>): string {
  return join(configDirectory, 'config.yaml');
}

export async function readContexts(terminal: Pick<Terminal, 'configDirectory'>): Promise<Contexts> {
  const file = contextsFile(terminal);
  const text = await textOf(file);
  if (text === '') return { contexts: {} };
  // YAML takes time to load, and users of a server in their folder have no contexts.
  const { parseContexts } = await import('./written.ts');
  return parseContexts(text, file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw unusable(file, 'read', error);
  }
}

/** System users and containers may have no home folder. */
function unusable(path: string, what: 'read' | 'written', cause: unknown): Failure {
  return new Failure(
    'refused',
    `${path} cannot be ${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
    'set XDG_CONFIG_HOME to a folder that you can write, or use UNIKORN_URL and UNIKORN_TOKEN instead of a context',
  );
}

/** Changes the current content of the file. Concurrent commands wait for each other, so that no change is lost. */
export async function changeContexts(
  terminal: Pick<Terminal, 'configDirectory' | 'sleep' | 'signal'>,
  change: (contexts: Contexts) => Contexts | Promise<Contexts>,
): Promise<Contexts> {
  const file = contextsFile(terminal);
  await mkdir(terminal.configDirectory, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw unusable(terminal.configDirectory, 'written', cause);
  });
  return locked(`${file}.lock`, terminal, async () => {
    const before = await readContexts(terminal);
    const after = await change(before);
    if (after !== before) await replace(file, (await import('./written.ts')).formatContexts(after));
    return after;
  });
}

/** Writes a new file and renames it, so that readers never see a partial file. Only its owner can read it. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}
