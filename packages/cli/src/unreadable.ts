import { Failure } from './failure.ts';

/** The reasons that users know, in their words. */
const reasons: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file ${path}`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  EACCES: (path) => `you may not read ${path}`,
};

/** A file of the user that cannot be read. */
export function unreadable(path: string, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = reasons[code]?.(path);
  return new Failure(
    'usage',
    known ?? `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
  );
}
