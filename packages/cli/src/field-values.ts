import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { Failure } from './failure.ts';
import { expectText, nextSecrets } from './input.ts';
import { attributeOf, fieldsFor, type Writing } from './fields.ts';
import { find } from './finding.ts';
import { nounNamed } from './nouns/index.ts';
import type { Field, Noun } from './nouns/noun.ts';
import { beside, list } from './resources.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { unreadable } from './unreadable.ts';

/** Values by their path in the request body; `undefined` removes the current value. */
export type Values = ReadonlyMap<string, unknown>;

/**
 * The values of flags, with names looked up and files read. Fields are processed in order, since one may determine
 * where the next is looked up.
 */
export async function valuesOf(
  noun: Noun,
  writing: Writing,
  options: Readonly<Record<string, unknown>>,
  session: Session,
  terminal: Terminal,
): Promise<Values> {
  const values = new Map<string, unknown>();
  let there = session;
  for (const field of fieldsFor(noun, writing)) {
    const said = options[attributeOf(field.flag)];
    if (said === undefined) continue;
    if (field.places && typeof said === 'string' && field.noun !== undefined) {
      const place = await find(there, nounNamed(field.noun), said);
      there = beside(there, place);
      values.set(field.path, place.metadata.id);
    } else values.set(field.path, await valueOf(field, said, there, terminal));
  }
  return values;
}

async function valueOf(field: Field, said: unknown, session: Session, terminal: Terminal): Promise<unknown> {
  if (Array.isArray(said))
    return Promise.all(
      said
        .map(String)
        .filter((text) => text !== '')
        .map((text) => elementOf(field, text, session)),
    );
  if (typeof said !== 'string') return said;
  if (field.type === 'secret') return secretOf(field, said, terminal);
  if (said === '') return undefined;
  switch (field.type) {
    case 'file':
      return (await bytesOf(said, terminal)).toString('utf8');
    case 'base64':
      return (await bytesOf(said, terminal)).toString('base64');
    case 'json':
      return jsonOf(field, said);
    case 'text':
    case 'list':
    case 'integer':
    case 'gibibytes':
    case 'switch':
      return elementOf(field, said, session);
  }
}

async function elementOf(field: Field, text: string, session: Session): Promise<unknown> {
  if (field.noun === undefined) {
    const value = field.parse ? field.parse(text) : text;
    return field.complete
      ? field.complete(value, {
          find: (noun, name) => find(session, nounNamed(noun), name),
          list: (noun) => list(session, noun),
        })
      : value;
  }
  const object = await find(session, nounNamed(field.noun), text);
  return field.refer ? field.refer(object) : object.metadata.id;
}

function jsonOf({ flag }: Field, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('usage', `--${flag} is not JSON: ${text}`);
  }
}

/**
 * A user may give the secret itself instead of a file, so the message must not contain the text. A secret cannot be
 * removed, so an empty one is a mistake.
 */
async function secretOf({ flag }: Field, source: string, terminal: Terminal): Promise<string> {
  const name = flag.replaceAll('-', ' ');
  const [line = ''] =
    source === '-'
      ? await nextSecrets(terminal, [name])
      : await readFile(resolve(terminal.cwd, source), 'utf8').then(
          (text) => text.split(/\r?\n/),
          () => {
            throw new Failure(
              'usage',
              `--${flag} must name a file that can be read; a secret on the command line can be seen by every user of this machine`,
              `to type the ${name}, or to read it from standard input: --${flag} -`,
            );
          },
        );
  if (line === '')
    throw new Failure(
      'usage',
      `there is no ${name} in the first line of ${source === '-' ? 'standard input' : source}`,
    );
  return line;
}

async function bytesOf(path: string, terminal: Terminal): Promise<Buffer> {
  const { stdin, cwd } = terminal;
  if (path === '-') {
    expectText(terminal);
    return buffer(stdin);
  }
  try {
    return await readFile(resolve(cwd, path));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
