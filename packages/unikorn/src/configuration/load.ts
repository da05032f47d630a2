import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { defined } from '@unikorn/core/defined';
import { toError } from '@unikorn/core/errors';

import { mistakesInParts } from '../parts/choice.ts';
import { mistakesIn, resolved, type Resolved } from './resolve.ts';
import { readEnvironment, readFileText, type Given, type Reading } from './sources.ts';

/** The default file. It is read if it exists. */
const usualFile = 'unikorn.yaml';
const fileVariable = 'UNIKORN_CONFIG';

export interface Told {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: readonly Given[];
  /** The file that the flag names. */
  readonly file?: string;
}

export interface Loaded extends Resolved {
  /** The file that was read. */
  readonly file?: string;
}

/**
 * The configuration from file, environment and flags; later sources override earlier ones. Returns all problems if it
 * is not valid.
 */
export async function loadConfiguration({
  environment,
  flags,
  file,
}: Told): Promise<Loaded | { readonly mistakes: readonly string[] }> {
  const wanted = file ?? (environment[fileVariable] || undefined);
  const read = await readConfigurationFile(wanted ?? usualFile, wanted !== undefined);
  const given = [...read.given, ...readEnvironment(environment), ...flags];
  const mistakes = [...read.mistakes, ...mistakesIn(given)];
  if (mistakes.length > 0) return { mistakes };
  const complete = resolved(given);
  const conflicts = mistakesInParts(complete.configuration);
  return conflicts.length > 0 ? { mistakes: conflicts } : { ...complete, ...defined({ file: read.file }) };
}

async function readConfigurationFile(name: string, required: boolean): Promise<Reading & { readonly file?: string }> {
  try {
    return { ...readFileText(name, await readFile(name, 'utf8')), file: resolve(name) };
  } catch (thrown) {
    const cause = toError(thrown);
    const missing = 'code' in cause && cause.code === 'ENOENT';
    if (missing && !required) return { given: [], mistakes: [] };
    return {
      given: [],
      mistakes: [`the configuration file ${name} ${missing ? 'does not exist' : `cannot be read: ${cause.message}`}`],
    };
  }
}
