import type { Command } from 'commander';

import { readContexts } from '../contexts/file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { waits } from '../limits.ts';
import type { Noun } from '../nouns/noun.ts';
import { handleOf, list } from '../resources.ts';
import { placeOf, sessionAt } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { complete, type Candidate, type Completion } from './complete.ts';
import { filesMark } from './scripts.ts';

/** Prints the possible completions of the last word: one per line, with its description after a tab. */
export async function printCompletion(program: Command, words: readonly string[], terminal: Terminal): Promise<void> {
  const current = words.at(-1) ?? '';
  // `--network=fr` is completed as `--network fr`, and returned in the form that the user typed.
  const [, flag, value] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  const written = flag === undefined ? '' : `${flag}=`;
  const completion = complete(program, flag === undefined ? words : [...words.slice(0, -1), flag, value ?? '']);
  if (completion.kind === 'files') {
    terminal.stdout.write(`${filesMark}\n`);
    return;
  }
  const candidates = (await candidatesFor(completion, terminal)).map((candidate) => ({
    ...candidate,
    value: `${written}${candidate.value}`,
  }));
  terminal.stdout.write(
    candidates
      .filter((candidate) => candidate.value.startsWith(current))
      .map((candidate) => `${candidate.value}\t${candidate.description ?? ''}\n`)
      .join(''),
  );
}

async function candidatesFor(
  completion: Exclude<Completion, { kind: 'files' }>,
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  switch (completion.kind) {
    case 'words':
      return completion.candidates;
    case 'contexts':
      return Object.keys((await readContexts(terminal)).contexts).map((value) => ({ value }));
    case 'names':
      // A shell cannot show errors here. If a request fails, there are no completions.
      return namesOf(completion.noun, completion.options, terminal).catch(() => []);
  }
}

async function namesOf(noun: Noun, options: GlobalOptions, terminal: Terminal): Promise<readonly Candidate[]> {
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(waits.completion_ms)]);
  const session = sessionAt(await placeOf(terminal, options), terminal, { ...options, retries: 0, signal });
  const objects = await list(session, noun);
  return objects.map((object) => ({
    value: handleOf(noun, object, objects),
    description: oneLine(object.metadata.description),
  }));
}

/** A description may have several lines, and a tab in it would begin another column. */
function oneLine(text = ''): string {
  return text.replaceAll(/\s+/g, ' ');
}
