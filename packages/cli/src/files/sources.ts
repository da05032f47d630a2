import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { Failure } from '../failure.ts';
import { expectText } from '../input.ts';
import type { Terminal } from '../terminal.ts';
import { unreadable } from '../unreadable.ts';

/** A text with resources, and its name in messages. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** The options that select the files of a command. */
export interface FileOptions {
  readonly filename: readonly string[];
  readonly recursive?: boolean;
}

/** The command that continues what this command began. */
export function commandFor(verb: 'apply' | 'delete', { filename, recursive }: FileOptions): string {
  return ['unikorn', verb, ...filename.map((path) => `-f ${path}`), ...(recursive ? ['-R'] : [])].join(' ');
}

/** Reads what `-f` names: files, folders of files, or - for standard input. */
export async function readSources(
  { filename, recursive = false }: FileOptions,
  terminal: Terminal,
): Promise<readonly Source[]> {
  const sources = await Promise.all(
    filename.map((path) => (path === '-' ? standardInput(terminal) : readPath(path, recursive, terminal))),
  );
  return sources.flat();
}

async function standardInput(terminal: Terminal): Promise<readonly Source[]> {
  expectText(terminal);
  return [{ name: 'standard input', text: await text(terminal.stdin) }];
}

async function readPath(path: string, recursive: boolean, { cwd }: Terminal): Promise<readonly Source[]> {
  try {
    const names = (await stat(resolve(cwd, path))).isDirectory() ? await filesIn(path, recursive, cwd) : [path];
    if (names.length === 0)
      throw new Failure(
        'usage',
        `there is no .yaml, .yml or .json file in ${path}`,
        ...(recursive ? [] : ['-R also reads its subfolders']),
      );
    return await Promise.all(names.map(async (name) => ({ name, text: await readFile(resolve(cwd, name), 'utf8') })));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreadable(path, error);
  }
}

/** Sorted by name, so that every run has the same order. */
async function filesIn(folder: string, recursive: boolean, cwd: string): Promise<readonly string[]> {
  const entries = await readdir(resolve(cwd, folder), { recursive });
  return entries
    .filter((entry) => /\.(?:ya?ml|json)$/.test(entry))
    .toSorted()
    .map((entry) => join(folder, entry));
}
