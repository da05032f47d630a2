import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The state directory of a server on this machine. */
export interface LocalState {
  readonly directory: string;
  readonly size_bytes: number;
  /** When the server was last ready. It writes its credentials at that moment. */
  readonly readySince: string;
}

export async function localState(directory: string): Promise<LocalState> {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  const { mtime } = await stat(join(directory, 'credentials.json'));
  return { directory, size_bytes: sizes.reduce((sum, size) => sum + size, 0), readySince: mtime.toISOString() };
}
