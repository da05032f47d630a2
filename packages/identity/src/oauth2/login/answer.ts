import type { RawRoute, RawShape } from '@unikorn/core/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { limits } from '../../limits.ts';
import { localUrl } from '../external-request.ts';

export type Incoming = FastifyRequest<RawShape>;

/** The response for the browser. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A page for browsers. */
export function answering(
  method: RawRoute['method'],
  path: RawRoute['path'],
  answer: (request: Incoming, reply: FastifyReply) => Promise<Answer> | Answer,
): RawRoute {
  return {
    method,
    path,
    handler: async (request, reply) => {
      const { status, headers, body } = await answer(request, reply);
      void reply.code(status).headers(headers).send(body);
    },
  };
}

export function redirect(location: string, status = 303): Answer {
  return { status, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } };
}

export function queryOf(request: Incoming): URLSearchParams {
  return new URL(localUrl(request), 'http://local').searchParams;
}

/** A body that is too long for these forms counts as empty. */
export function formOf({ body = '' }: Incoming): URLSearchParams {
  return new URLSearchParams(body.length > limits.formBytes ? '' : body);
}
