import type { FastifyInstance } from 'fastify';

import { Problem } from '../errors/index.ts';
import type { Service } from './compiled.ts';

/** Redirects a browser that opens the base address to the reference page of the service. Other clients get 404. */
export function addHome(scope: FastifyInstance, { base }: Service): void {
  scope.get('/', { schema: { hide: true } }, (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) throw new Problem('not_found', 'this path does not exist');
    return reply.headers({ 'cache-control': 'no-cache', vary: 'Accept' }).redirect(`${base ?? ''}/docs`);
  });
}
