import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { Problem } from '@unikorn/core/errors';

import { credentialsFile } from '../state-directory.ts';

/** The credentials file, for scripts and clients, and for the next start. */
const Kept = Type.Object({
  /** The token with all permissions. */
  adminToken: Type.String(),
  /** The administrator's login. The password is only present while it is the one that the first start generated. */
  administrator: Type.Object({ email: Type.String(), password: Type.Optional(Type.String()) }),
  /** The address of the server at its last start; absent after a restore. */
  endpoints: Type.Optional(Type.Object({ identity: Type.String() })),
  /** The same server for commands on this machine, which also works before its name and a proxy exist. */
  local: Type.Optional(Type.String()),
  /** The administrator of the demo organization. */
  token: Type.Optional(Type.String()),
  organizationId: Type.Optional(Type.String()),
  projectId: Type.Optional(Type.String()),
  secondaryProjectId: Type.Optional(Type.String()),
  regionId: Type.Optional(Type.String()),
  secondaryRegionId: Type.Optional(Type.String()),
  networkId: Type.Optional(Type.String()),
  /** Fits the image, in both regions. */
  flavorId: Type.Optional(Type.String()),
  imageId: Type.Optional(Type.String()),
});
type Kept = Readonly<Static<typeof Kept>>;

export interface Credentials extends Kept {
  /** From this start: the next start may have another address, and a newer version may have more services. */
  readonly endpoints: { readonly identity: string; readonly region: string; readonly compute: string };
}

const validator = Compile(Kept);

/** The credentials of an earlier start. */
export async function loadCredentials(state: string): Promise<Kept | undefined> {
  if (!existsSync(credentialsFile(state))) return undefined;
  const parsed = await parsedFile(credentialsFile(state));
  if (!validator.Check(parsed))
    throw new Problem(
      'storage_unusable',
      `${credentialsFile(state)} is not a valid credentials file: remove it to get new credentials`,
    );
  return parsed;
}

/**
 * Undefined for a file that cannot be read or is not JSON. Such a file contains no credentials, and an operator must
 * check it.
 */
async function parsedFile(file: string): Promise<unknown> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return value;
  } catch {
    return undefined;
  }
}

/** Removes the generated password of the administrator after it was changed. */
export async function forgetPassword(state: string, email: string): Promise<void> {
  const held = await loadCredentials(state);
  if (held?.administrator.email === email.toLowerCase())
    await saveCredentials(state, { ...held, administrator: { email: held.administrator.email } });
}

/**
 * The same without an address. Otherwise a client of the restored state would call the server that the backup was taken
 * from.
 */
export async function restoreCredentials(backup: string, state: string): Promise<void> {
  const held = await loadCredentials(backup);
  const elsewhere = { endpoints: undefined, local: undefined };
  if (held) await saveCredentials(state, { ...held, ...elsewhere });
  else await rm(credentialsFile(state), { force: true });
}

/** Writes a new file and renames it, so that readers never see a partial file. Only its owner can read it. */
export async function saveCredentials(
  state: string,
  credentials: Omit<Kept, 'endpoints' | 'local'> & {
    readonly endpoints?: Kept['endpoints'] | undefined;
    readonly local?: string | undefined;
  },
): Promise<string> {
  const file = credentialsFile(state);
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return file;
}
