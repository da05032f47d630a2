import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import type { Endpoints } from '@unikorn/sdk';

import { fieldsOf } from '../documents.ts';
import type { Terminal } from '../terminal.ts';
import { addressOf, endpointsOf, isToken } from './contexts.ts';

/** The credentials file of a server on this machine. */
export interface LocalServer {
  readonly directory: string;
  /** The address on this machine. */
  readonly endpoints: string | Endpoints;
  /** The address that users elsewhere use, for a login. */
  readonly publicUrl?: string;
  readonly token: string;
  readonly organizationId?: string;
  readonly projectId?: string;
  readonly regionId?: string;
}

/** The server whose state is in `UNIKORN_STATE`, or in `.unikorn` here or in the nearest folder above. */
export async function findLocalServer(terminal: Pick<Terminal, 'env' | 'cwd'>): Promise<LocalServer | undefined> {
  for (const directory of stateDirectories(terminal)) {
    const server = await serverIn(directory);
    if (server) return server;
  }
  return undefined;
}

/** The possible state folders of a server on this machine, the most likely first. */
export function stateDirectories({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): readonly string[] {
  const state = env['UNIKORN_STATE'];
  return state ? [resolve(cwd, state)] : foldersUp(cwd).map((folder) => join(folder, '.unikorn'));
}

function foldersUp(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}

async function serverIn(directory: string): Promise<LocalServer | undefined> {
  const { token, adminToken, organizationId, projectId, regionId, ...written } = fieldsOf(
    await jsonOf(join(directory, 'credentials.json')),
  );
  const published = endpointsOf(written['endpoints']);
  const endpoints = endpointsOf(written['local']) ?? published;
  const bearer = token ?? adminToken;
  if (endpoints === undefined || typeof bearer !== 'string' || !isToken(bearer)) return undefined;
  return {
    directory,
    endpoints,
    ...(published === undefined ? {} : { publicUrl: addressOf(published) }),
    token: bearer,
    ...(typeof organizationId === 'string' ? { organizationId } : {}),
    ...(typeof projectId === 'string' ? { projectId } : {}),
    ...(typeof regionId === 'string' ? { regionId } : {}),
  };
}

/** Undefined if the file does not exist, cannot be read, or is not JSON: then there is no server to use. */
async function jsonOf(file: string): Promise<unknown> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return value;
  } catch {
    return undefined;
  }
}
