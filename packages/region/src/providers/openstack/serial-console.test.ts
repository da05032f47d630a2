import type { AddressInfo } from 'node:net';

import { afterEach, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import { passing } from '@unikorn/core/testing/carriers';

import { startCloud, type Reaction } from './client/cloud.fixture.ts';
import { openSerialConsole } from './serial-console.ts';

type Running = Awaited<ReturnType<typeof startCloud>>;

let cloud: Running;
afterEach(() => cloud.stop());

/** A proxy like Nova's, and a cloud that gives its address. */
async function start(script: { readonly console?: Reaction; readonly log?: Reaction } = {}) {
  const proxy = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'binary' });
  const sockets: WebSocket[] = [];
  const requests: string[] = [];
  proxy.on('connection', (socket, { url }) => {
    sockets.push(socket);
    requests.push(String(url));
    socket.on('message', (data: Buffer) => {
      socket.send(Buffer.from(data.toString().toUpperCase()));
    });
  });
  await new Promise((resolve) => proxy.once('listening', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
    proxy.close();
  });
  const url = `ws://127.0.0.1:${(proxy.address() as AddressInfo).port}/?token=abc`;
  cloud = await startCloud({
    answer: ({ path }) =>
      path.endsWith('/remote-consoles')
        ? (script.console ?? { body: { remote_console: { protocol: 'serial', type: 'serial', url } } })
        : (script.log ?? { body: { output: 'booted\nlogin: ' } }),
  });
  const stop = new AbortController();
  onTestFinished(() => {
    stop.abort();
  });
  const open = () => passing(cloud.world, openSerialConsole(cloud.session, 's', stop.signal));
  return { open, sockets, requests, stop, proxy };
}

async function text(pieces: AsyncIterable<Uint8Array>, length: number): Promise<string> {
  let read = '';
  for await (const piece of pieces) {
    read += Buffer.from(piece).toString();
    if (read.length >= length) break;
  }
  return read;
}

it('a serial console shows the old output, and then carries bytes both ways through the proxy', async () => {
  const { open, requests } = await start();
  const line = await open();
  await line.send(Buffer.from('ann'));
  expect(await text(line.pieces, 18)).toBe('booted\r\nlogin: ANN');
  expect(requests).toEqual(['/?token=abc']);
  expect(cloud.asked[0]?.body).toEqual({ remote_console: { protocol: 'serial', type: 'serial' } });
});

it.each([400, 501])('a cloud without serial consoles (%i) is refused with the reason', async (status) => {
  const { open } = await start({ console: { status, body: { badRequest: { message: 'Unavailable console type' } } } });
  await expect(open()).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('offers no serial console') as string,
  });
});

it('a cloud that gives only a web page is refused', async () => {
  const { open } = await start({ console: { body: { remote_console: { url: 'https://cloud/vnc.html' } } } });
  await expect(open()).rejects.toMatchObject({ kind: 'invalid' });
});

it('works without console output', async () => {
  const { open } = await start({ log: { status: 501, body: {} } });
  const line = await open();
  await line.send(Buffer.from('ann'));
  expect(await text(line.pieces, 3)).toBe('ANN');
});

it('a proxy that cannot be reached, or breaks, is not available at the moment', async () => {
  const { open, sockets, proxy } = await start();
  const line = await open();
  sockets[0]?.terminate();
  await expect(text(line.pieces, 100)).rejects.toMatchObject({ kind: 'unavailable' });
  await new Promise<void>((resolve) => {
    proxy.close(() => {
      resolve();
    });
  });
  await expect(open()).rejects.toMatchObject({ kind: 'unavailable' });
});

it('ends at the proxy when it is closed', async () => {
  const { open, sockets } = await start();
  const line = await open();
  const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
  line.close();
  await closed;
});
