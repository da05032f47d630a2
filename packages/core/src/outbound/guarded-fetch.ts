import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

import { isPublicAddress, lookupAllowed } from './public-address.ts';

/** As much of a request as those who fetch for others send. Redirects are answers: following one would need the same care. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GuardOptions {
  /** Which addresses may be connected to; public ones unless a deployment knows better. */
  readonly allows?: (address: string) => boolean;
  readonly answerBytes: number;
  /** What becomes of an answer that is larger: refused unless its beginning is all that matters. */
  readonly larger?: 'refused' | 'cut';
  /** How the other side proves who it is and we prove who we are, where that is not as it is for everybody. */
  readonly tls?: Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized' | 'servername'>;
}

/**
 * Fetches what a user named, and nothing of ours: no connection is made to an address that is not public.
 *
 * @example const fetchFor = guardedFetch({ answerBytes: 1024 * 1024 });
 */
export function guardedFetch({
  allows = isPublicAddress,
  answerBytes,
  larger = 'refused',
  tls = {},
}: GuardOptions): (url: string, request: GuardedRequest) => Promise<Response> {
  const lookup = lookupAllowed(allows);
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const target = new URL(url);
      // A host that is an address already is never looked up.
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      if (isIP(literal) !== 0 && !allows(literal)) throw new Error(`${literal} may not be reached from here`);
      const send = target.protocol === 'https:' ? secureRequest : plainRequest;
      const sent = send(
        target,
        { method, headers, lookup, agent: false, ...tls, ...(signal ? { signal } : {}) },
        (answer) => {
          read(answer, answerBytes, larger).then(resolve, reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
}

const withoutBody = new Set([204, 205, 304]);

async function read(answer: IncomingMessage, answerBytes: number, larger: 'refused' | 'cut'): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the connection, so that the rest never arrives.
  for await (const chunk of answer) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size > answerBytes && larger === 'refused') throw new Error(`the answer is larger than ${answerBytes} bytes`);
    chunks.push(chunk);
    if (size >= answerBytes && larger === 'cut') break;
  }
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(withoutBody.has(status) ? null : Buffer.concat(chunks).subarray(0, answerBytes), {
    status,
    headers,
  });
}
