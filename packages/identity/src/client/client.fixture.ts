import { onTestFinished } from 'vitest';

import { httpCalls, httpChannel, type ChannelRequest, type HttpChannel } from '@unikorn/core/calls';

import { certificateHeaders, signIn, startIdentity } from '../testing/index.ts';
import { identityClient } from './index.ts';

/** Identity in one process, and a client in another process whose certificate names it `service`. */
export async function openStage(service: Parameters<typeof certificateHeaders>[0]) {
  const identity = await startIdentity();
  const { server, store, world, telemetry } = identity;
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const real = httpChannel({ baseUrl: `${address}/identity`, world, headers: certificateHeaders(service) });
  const close = async () => {
    await real.close();
    await identity.stop();
  };
  const requests: ChannelRequest[] = [];
  const channel: HttpChannel = {
    ...real,
    send: (request) => {
      requests.push(request);
      return real.send(request);
    },
  };
  const overHttp = identityClient(httpCalls({ service: 'identity', channel, world, telemetry }));
  return {
    ...identity,
    channel,
    requests,
    overHttp,
    inProcess: identity.identity.client(service),
    signIn: (subject: string) => signIn({ store, world }, subject),
    close,
  };
}

/** The same for one test. */
export async function stage(service: Parameters<typeof certificateHeaders>[0]) {
  const opened = await openStage(service);
  onTestFinished(opened.close);
  return opened;
}
