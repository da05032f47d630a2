import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';

import { defined } from '@unikorn/core/defined';

import type { IncomingResponse, OutgoingRequest, Transport } from './transport.ts';

export interface NodeTransportOptions {
  /** How long an answer may take; the deadline of the request that waits for it is the reason. */
  readonly timeout_ms: number;
  /** The certificate by which this service is known to the others, and whose signature it trusts; all in PEM. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority?: string };
}

/** Connections kept open to one service: an answer takes milliseconds, so these carry thousands of calls a second. */
const connections = 64;

/** An answer larger than any of identity's is not one. */
const answerBytes = 64 * 1024 * 1024;

/**
 * The machine's network, with connections that are kept and a client certificate where services demand one.
 *
 * @example httpIdentityClient({ baseUrl: 'https://identity.unikorn.svc', transport: nodeTransport({ timeout_ms: 20_000, tls }) })
 */
export function nodeTransport({ timeout_ms, tls }: NodeTransportOptions): Transport {
  const shared = { keepAlive: true, maxSockets: connections };
  const plain = new PlainAgent(shared);
  const secure = new SecureAgent({
    ...shared,
    minVersion: 'TLSv1.3',
    ...(tls ? { cert: tls.certificate, key: tls.key, ...defined({ ca: tls.authority }) } : {}),
  });
  return (request) =>
    new Promise((resolve, reject) => {
      const options = { method: request.method, headers: headersOf(request), timeout: timeout_ms };
      const answered = (response: IncomingMessage) => {
        read(response).then(resolve, reject);
      };
      const sent = request.url.startsWith('https:')
        ? secureRequest(request.url, { ...options, agent: secure }, answered)
        : plainRequest(request.url, { ...options, agent: plain }, answered);
      sent.on('timeout', () => sent.destroy(new Error(`there was no answer within ${timeout_ms} ms`)));
      sent.on('error', reject);
      sent.end(request.body);
    });
}

function headersOf({ headers, body }: OutgoingRequest): Record<string, string> {
  return body === undefined ? { ...headers } : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
}

async function read(response: IncomingMessage): Promise<IncomingResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size > answerBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
}
