import { createServer, type Server } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemWorld } from '@unikorn/core/world';
import { virtualWorld } from '@unikorn/core/testing';

import { imageProbe, isWebAddress } from './probe.ts';

const disk = Buffer.alloc(4096, 'x');

let server: Server;
let origin: string;
let asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.url ?? ''} ${request.headers.range ?? ''}`);
    switch (request.url) {
      case '/ranged':
        return response.writeHead(206).end(disk.subarray(0, 512));
      case '/endless': {
        const more = () => {
          if (!response.destroyed) response.write(disk, more);
        };
        more();
        return undefined;
      }
      case '/moved':
        return response.writeHead(302, { location: '/ranged' }).end();
      case '/round':
        return response.writeHead(302, { location: '/round' }).end();
      case '/inside':
        return response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
      case '/file':
        return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      case '/silent':
        return undefined;
      case undefined:
      default:
        return response.writeHead(404).end('no');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const signal = new AbortController().signal;
const isTestServer = (address: string) => address === '127.0.0.1';

describe('the probe of an image', () => {
  const probe = (uri: string, on: AbortSignal) => imageProbe(systemWorld)(uri, on, isTestServer);

  it('requests only the first sector', async () => {
    asked = [];
    expect(await probe(`${origin}/ranged`, signal)).toEqual({
      type: 'answered',
      status: 206,
      bytes: new Uint8Array(disk.subarray(0, 512)),
    });
    expect(asked).toEqual(['/ranged bytes=0-511']);
  });

  it('reads no more than that from a server that sends without end', async () => {
    const head = await probe(`${origin}/endless`, signal);
    expect(head).toMatchObject({ type: 'answered', status: 200 });
    expect(head.type === 'answered' && head.bytes.length).toBe(512);
  });

  it('follows redirects, but only a few', async () => {
    expect(await probe(`${origin}/moved`, signal)).toMatchObject({ type: 'answered', status: 206 });
    asked = [];
    expect(await probe(`${origin}/round`, signal)).toMatchObject({ type: 'answered', status: 302 });
    expect(asked.length).toBe(6);
  });

  it.each(['/inside', '/file'])('does not follow a redirect of %s to an internal address', async (path) => {
    expect(await probe(`${origin}${path}`, signal)).toEqual({ type: 'internal' });
  });

  it('returns the status of a missing image', async () => {
    expect(await probe(`${origin}/absent`, signal)).toMatchObject({ type: 'answered', status: 404 });
  });

  it('reports an address where nothing listens as unreachable', async () => {
    expect(await probe('http://127.0.0.1:1/', signal)).toEqual({ type: 'unreachable' });
  });

  it('does not wait forever for a server that does not answer', async () => {
    const world = virtualWorld(1);
    const head = imageProbe(world)(`${origin}/silent`, signal, isTestServer);
    await world.advance(5_000);
    expect(await head).toEqual({ type: 'unreachable' });
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://[::ffff:10.0.0.1]/',
  ])('never connects to %s', async (uri) => {
    asked = [];
    expect(await imageProbe(systemWorld)(uri, signal)).toEqual({ type: 'internal' });
    expect(asked).toEqual([]);
  });
});

it.each([
  ['https://images.example.com/noble.raw', true],
  ['http://images.example.com', true],
  ['file:///etc/passwd', false],
  ['ftp://images.example.com/noble.raw', false],
  ['/noble.raw', false],
  ['', false],
])('%s is something to fetch: %s', (uri, expected) => {
  expect(isWebAddress(uri)).toBe(expected);
});
