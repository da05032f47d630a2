import { isProblem, Problem } from '@unikorn/core/errors';

/** What is wrong with a field of a body that has the right form. */
export function refused(field: string, rule: string, cause?: unknown): Problem {
  return new Problem('unprocessable_content', `${field}: ${rule}`, { cause });
}

/** What a field of a body names, found with the caller's rights; one that is not there is that field's fault. */
export async function named<T>(field: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    throw isProblem(error, 'not_found') ? refused(field, error.message, error) : error;
  }
}
