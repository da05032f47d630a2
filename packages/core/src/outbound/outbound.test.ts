import { createServer, type Server } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { guardedDownload, guardedFetch, isPublicAddress } from './index.ts';

describe('a public address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '193.99.144.80', '2606:4700:4700::1111', '2a00:1450:4001:830::200e'])(
    '%s is one',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a guarded fetch', () => {
  let server: Server | undefined;
  let reached = 0;

  afterEach(() => server?.close());

  async function listening(): Promise<number> {
    reached = 0;
    server = createServer((request, response) => {
      reached++;
      if (request.url === '/large') response.end('x'.repeat(2000));
      else
        response
          .writeHead(302, { location: 'http://127.0.0.1/elsewhere', 'x-seen': request.method ?? '' })
          .end('hello');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  const get = { method: 'GET', headers: {} };

  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0177.0.0.1', '2130706433', '0x7f.1'])(
    'never reaches this machine by the name %s',
    async (host) => {
      const port = await listening();
      await expect(guardedFetch({ answerBytes: 1000 })(`http://${host}:${port}/`, get)).rejects.toThrow(
        'permitted address',
      );
      expect(reached).toBe(0);
    },
  );

  it('returns an allowed response unchanged, also after redirects, and refuses one that is too large', async () => {
    const port = await listening();
    const fetchFor = guardedFetch({ answerBytes: 1000, allows: () => true });
    const answer = await fetchFor(`http://localhost:${port}/`, { ...get, method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('location'), answer.headers.get('x-seen'), await answer.text()]).toEqual([
      302,
      'http://127.0.0.1/elsewhere',
      'POST',
      'hello',
    ]);
    await expect(fetchFor(`http://127.0.0.1:${port}/large`, get)).rejects.toThrow('larger than 1000 bytes');
  });

  it('reads only the beginning of a large response if the caller wants no more', async () => {
    const port = await listening();
    const fetchFor = guardedFetch({ answerBytes: 1000, larger: 'cut', allows: () => true });
    expect(await (await fetchFor(`http://127.0.0.1:${port}/large`, get)).text()).toBe('x'.repeat(1000));
    expect(await (await fetchFor(`http://127.0.0.1:${port}/`, get)).text()).toBe('hello');
  });

  it('downloads no more than allowed, and follows redirects to permitted addresses only', async () => {
    const port = await listening();
    const { signal } = new AbortController();
    const read = async (url: string, bytes: number, allows: (address: string) => boolean = () => true) => {
      const { status, length, body } = await guardedDownload({ bytes, redirects: 1, allows })(url, signal);
      let size = 0;
      for await (const chunk of body) size += chunk.length;
      return { status, length, size };
    };
    const large = `http://127.0.0.1:${port}/large`;
    expect(await read(large, 2000)).toEqual({ status: 200, length: 2000, size: 2000 });
    await expect(read(large, 1999)).rejects.toThrow('larger than 1999 bytes');
    await expect(read(`http://localhost:${port}/`, 10, (address) => address !== '127.0.0.1')).rejects.toThrow();
    await expect(guardedDownload({ bytes: 1, redirects: 1 })(large, signal)).rejects.toThrow('permitted address');
  });
});
