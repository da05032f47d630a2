import { onTestFinished } from 'vitest';

import { defined } from '@unikorn/core/defined';

import { certificateHeaders, signIn, startIdentity } from '../testing/index.ts';
import type { OutgoingRequest, Transport } from './transport.ts';

const host = 'https://cloud.example.com';
export const baseUrl = `${host}/identity`;

/** Identity in one process, and the way to it from another one that is known as `service`. */
export async function stage(service: Parameters<typeof certificateHeaders>[0]) {
  const identity = await startIdentity();
  onTestFinished(() => identity.stop());
  const { server, store, world } = identity;
  const requests: OutgoingRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    const { method, url, headers, body } = request;
    const response = await server.inject({
      method,
      url: url.slice(host.length),
      headers: { ...certificateHeaders(service), ...headers },
      ...defined({ payload: body }),
    });
    return { status: response.statusCode, body: response.body };
  };
  return { ...identity, transport, requests, signIn: (subject: string) => signIn({ store, world }, subject) };
}
