import { isProblem, Problem } from '@unikorn/core/errors';

/** The error for a field that is well formed but not valid. */
export function refused(field: string, rule: string, cause?: unknown): Problem {
  return new Problem('unprocessable_content', `${field}: ${rule}`, { cause });
}

/**
 * Finds the object that a field refers to, with the permissions of the caller; the error for a missing object names the
 * field.
 */
export async function named<T>(field: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    throw isProblem(error, 'not_found') ? refused(field, error.message, error) : error;
  }
}
