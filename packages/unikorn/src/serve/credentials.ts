import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { Problem } from '@unikorn/core/errors';
import { randomId } from '@unikorn/core/resource';
import type { World } from '@unikorn/core/world';

/** What a script needs to begin. Until identity issues tokens, the file itself is where the token is kept. */
const Credentials = Type.Object({
  endpoints: Type.Record(Type.String(), Type.String()),
  token: Type.String({ minLength: 32 }),
  organizationId: Type.String({ minLength: 36 }),
});
export type Credentials = Readonly<Static<typeof Credentials>>;

const validator = Compile(Credentials);

const tokenBytes = 32;

function credentialsFile(state: string): string {
  return join(state, 'credentials.json');
}

/** The credentials of an earlier start, or new ones. */
export async function loadCredentials(state: string, world: World): Promise<Credentials> {
  const text = await readFile(credentialsFile(state), 'utf8').catch(() => undefined);
  if (text === undefined) return { endpoints: {}, token: Buffer.from(world.randomBytes(tokenBytes)).toString('base64url'), organizationId: randomId(world) };
  const parsed = parse(text);
  if (!validator.Check(parsed)) throw new Problem('storage_unusable', `${credentialsFile(state)} is not what this server writes: remove it to get new credentials`);
  return parsed;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Written beside and renamed, so that a reader never sees half of it; readable by its owner alone. */
export async function saveCredentials(state: string, credentials: Credentials): Promise<string> {
  const file = credentialsFile(state);
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return file;
}
