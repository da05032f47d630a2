import type { Request } from '@unikorn/core/http';
import { deterministicId, randomId } from '@unikorn/core/resource';

/**
 * The id of a new image. A repeated request with the same idempotency key gets the same image, also if the response of
 * the provider was lost.
 */
export function imageIdFor(
  { headers, caller, runtime: { world } }: Pick<Request, 'headers' | 'caller' | 'runtime'>,
  origin: string,
): string {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? deterministicId(origin, `${caller.subject} ${key}`) : randomId(world);
}
