import { join } from 'node:path';

export function stateFile(directory: string): string {
  return join(directory, 'state.db');
}

/** Kept beside the state, not in it: a copy of the state alone opens nothing. */
export function keyFile(directory: string): string {
  return join(directory, 'encryption.key');
}

export function credentialsFile(directory: string): string {
  return join(directory, 'credentials.json');
}

/** Where operators put what regions are reached with, as `<namespace>/<name>/<key>`. */
export function secretsFolder(directory: string): string {
  return join(directory, 'secrets');
}

/** Holds the id of the process that serves the state, for those who must end it. */
export function processFile(directory: string): string {
  return join(directory, 'server.pid');
}
