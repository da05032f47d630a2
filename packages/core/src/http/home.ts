import type { FastifyInstance } from 'fastify';

import { Problem } from '../errors/index.ts';
import type { Service } from './compiled.ts';

/**
 * People who open the bare address are sent to the reference page of the service; programs learn that nothing is there.
 */
export function addHome(scope: FastifyInstance, { base }: Service): void {
  scope.get('/', { schema: { hide: true } }, (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) throw new Problem('not_found', 'this path does not exist');
    return reply.headers({ 'cache-control': 'no-cache', vary: 'Accept' }).redirect(`${base ?? ''}/docs`);
  });
}
