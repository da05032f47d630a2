import type { FastifyInstance } from 'fastify';

import { Problem } from '../errors/index.ts';

/** Redirects a browser that opens the base address to a page. Other clients get 404. */
export function addHome(scope: FastifyInstance, page: string): void {
  scope.get('/', { schema: { hide: true } }, (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) throw new Problem('not_found', 'this path does not exist');
    return reply.headers({ 'cache-control': 'no-cache', vary: 'Accept' }).redirect(page);
  });
}
