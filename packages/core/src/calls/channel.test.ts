import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { afterEach, describe, expect, it } from 'vitest';

import { passing } from '../testing/carriers.ts';
import { virtualWorld } from '../testing/index.ts';
import { httpChannel, type ChannelOptions, type ChannelRequest, type HttpChannel } from './index.ts';
import { authority, client, server as serverPair } from './tls.fixture.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function opened(listener: RequestListener, options: Partial<ChannelOptions> = {}) {
  const world = virtualWorld();
  const port = await listening(createServer(listener));
  const channel = httpChannel({ baseUrl: `http://127.0.0.1:${port}/base`, world, ...options });
  cleanups.push(() => channel.close());
  return { world, channel };
}

const get: ChannelRequest = { method: 'GET', path: '/a', headers: {}, repeatable: true };

function failingFirst(
  times: number,
  fail: RequestListener,
): { readonly listener: RequestListener; count: () => number } {
  let count = 0;
  return {
    listener: (request, response) => {
      if (++count <= times) fail(request, response);
      else response.end('at last');
    },
    count: () => count,
  };
}

describe('a channel', () => {
  it('sends a request and returns its response', async () => {
    const { channel } = await opened(
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () =>
          response
            .writeHead(418, { 'x-seen': 'yes' })
            .end(
              `${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['x-principal'])} ${String(request.headers['x-always'])} ${Buffer.concat(chunks).toString()}`,
            ),
        );
      },
      { headers: { 'x-always': 'w' } },
    );
    const answer = await channel.send({
      method: 'POST',
      path: '/a?b=c',
      headers: { 'x-principal': 'p' },
      body: 'größe',
      repeatable: false,
    });
    expect(answer).toMatchObject({ status: 418, text: 'POST /base/a?b=c p w größe', headers: { 'x-seen': 'yes' } });
  });

  it('reuses its connections', async () => {
    const sockets = new Set<unknown>();
    const { channel } = await opened((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    for (let time = 0; time < 20; time++) await channel.send(get);
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('fails when the answer takes too long, and when it breaks off', async () => {
    const { world, channel } = await opened(() => undefined);
    await expect(passing(world, channel.send({ ...get, repeatable: false }))).rejects.toThrow(
      'no response within 20000 ms',
    );
    const broken = await opened((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await expect(broken.channel.send({ ...get, repeatable: false })).rejects.toThrow();
  });

  it('fails when the answer is too large, and does not ask for it again', async () => {
    let count = 0;
    const { channel } = await opened(
      (_request, response) => {
        count++;
        response.end('x'.repeat(2000));
      },
      { answerBytes: 1000 },
    );
    await expect(channel.send(get)).rejects.toThrow();
    expect(count).toBe(1);
  });

  it('repeats a request that may be repeated when the connection fails, and no other', async () => {
    const first = failingFirst(2, (_request, response) => response.destroy());
    const { world, channel } = await opened(first.listener);
    expect(await passing(world, channel.send(get))).toMatchObject({ status: 200, text: 'at last' });
    expect(first.count()).toBe(3);

    const second = failingFirst(1, (_request, response) => response.destroy());
    const other = await opened(second.listener);
    const post: ChannelRequest = { ...get, method: 'POST', body: '{}', repeatable: false };
    await expect(passing(other.world, other.channel.send(post))).rejects.toThrow();
    expect(second.count()).toBe(1);
  });

  it('gives up after a few repetitions', async () => {
    const failing = failingFirst(100, (_request, response) => response.destroy());
    const { world, channel } = await opened(failing.listener);
    await expect(passing(world, channel.send(get))).rejects.toThrow();
    expect(failing.count()).toBe(5);
  });

  it('waits as long as Retry-After says if the deadline allows it, and never repeats a request that is not safe to repeat', async () => {
    const busy =
      (seconds: number): RequestListener =>
      (_request, response) =>
        response.writeHead(503, { 'retry-after': String(seconds) }).end();
    const short = failingFirst(1, busy(2));
    const { world, channel } = await opened(short.listener);
    expect(await passing(world, channel.send(get))).toMatchObject({ status: 200 });
    expect(world.monotonic_ms()).toBeGreaterThanOrEqual(2_000);

    const long = failingFirst(1, busy(30));
    const patient = await opened(long.listener);
    expect(await passing(patient.world, patient.channel.send(get))).toMatchObject({ status: 503 });
    expect(await patient.channel.send({ ...get, repeatable: false })).toMatchObject({ status: 200 });
    expect(long.count()).toBe(2);

    const once = failingFirst(1, busy(1));
    const unsafe = await opened(once.listener);
    expect(await passing(unsafe.world, unsafe.channel.send({ ...get, repeatable: false }))).toMatchObject({
      status: 503,
    });
  });

  it('ends a stream that is silent for too long', async () => {
    const { world, channel } = await opened((_request, response) => {
      response.writeHead(200).write('hello');
    });
    const { chunks } = await channel.stream(get, new AbortController().signal);
    const read = async () => {
      const texts: string[] = [];
      for await (const chunk of chunks) texts.push(Buffer.from(chunk).toString());
      return texts;
    };
    await expect(passing(world, read())).rejects.toThrow('sent nothing for too long');
  });

  it('ends a stream when its reader stops', async () => {
    const closed = Promise.withResolvers<undefined>();
    const { channel } = await opened((_request, response) => {
      response.on('close', () => {
        closed.resolve(undefined);
      });
      response.writeHead(200).write('hello');
    });
    const { chunks } = await channel.stream(get, new AbortController().signal);
    for await (const chunk of chunks) {
      expect(Buffer.from(chunk).toString()).toBe('hello');
      break;
    }
    await closed.promise;
  });
});

describe('a channel with certificates', () => {
  async function secure(): Promise<{ readonly baseUrl: string }> {
    const options = {
      cert: serverPair.certificate,
      key: serverPair.key,
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
    };
    const port = await listening(
      createSecureServer(options, (request, response) =>
        response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN),
      ),
    );
    return { baseUrl: `https://127.0.0.1:${port}` };
  }

  function channelTo(options: Omit<ChannelOptions, 'world'>): HttpChannel {
    const channel = httpChannel({ ...options, world: virtualWorld() });
    cleanups.push(() => channel.close());
    return channel;
  }
  const once = { ...get, repeatable: false };

  it('sends its own certificate and requires one of the authority', async () => {
    const { baseUrl } = await secure();
    expect(await channelTo({ baseUrl, tls: { ...client, authority } }).send(once)).toMatchObject({
      text: 'unikorn-compute',
    });
  });

  it('fails if the other side is not trusted or has no certificate', async () => {
    const { baseUrl } = await secure();
    await expect(channelTo({ baseUrl, tls: client }).send(once)).rejects.toThrow();
    await expect(channelTo({ baseUrl }).send(once)).rejects.toThrow();
  });
});
