import type { Request } from '@unikorn/core/http';
import { deterministicId, randomId } from '@unikorn/core/resource';

/**
 * The id of a new image. A repeated request with the same idempotency key refers to the same image, also when
 * the answer of the provider was lost in between: it then finds what it has made.
 */
export function imageIdFor(
  { headers, caller, runtime: { world } }: Pick<Request, 'headers' | 'caller' | 'runtime'>,
  origin: string,
): string {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? deterministicId(origin, `${caller.subject} ${key}`) : randomId(world);
}
