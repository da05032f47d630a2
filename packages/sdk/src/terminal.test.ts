import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket as Socket } from 'ws';

import { connect, type ConnectOptions, type TerminalState } from './index.ts';

type Act = (socket: Socket) => void;

const open = JSON.stringify({ type: 'open' });
const end = (status: number, error: string) =>
  JSON.stringify({ type: 'end', status, error, error_description: `because of ${error}` });

/** A service whose terminals do what the script says, and repeat the last act. A number is the status of a refusal. */
async function start(
  acts: readonly (Act | number)[] | ((token: string) => Act | number),
  options: Partial<ConnectOptions> = {},
) {
  const tokens: string[] = [];
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'terminal.unikorn-cloud.org' });
  let refusal = 200;
  const answer = () => JSON.stringify({ error: 'forbidden', error_description: 'your roles do not allow it' });
  const server = createServer((_request, response) => {
    response.writeHead(refusal, { 'content-type': 'application/json' }).end(answer());
  });
  server.on('upgrade', (request, socket, head) => {
    const bearer = String(request.headers['sec-websocket-protocol']).split('.').at(-1) ?? '';
    const token = Buffer.from(bearer, 'base64url').toString();
    const act = typeof acts === 'function' ? acts(token) : acts[Math.min(tokens.length, acts.length - 1)];
    tokens.push(token);
    if (typeof act === 'number') {
      refusal = act;
      socket.end(`HTTP/1.1 ${act} No\r\nconnection: close\r\n\r\n`);
      return;
    }
    refusal = 200;
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      act?.(accepted);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    for (const socket of sockets.clients) socket.terminate();
  });
  const { compute } = connect({
    endpoints: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'secret',
    retries: 0,
    ...options,
    platform: { sleep: () => Promise.resolve(), ...options.platform },
  });
  const states: TerminalState['type'][] = [];
  let text = '';
  const terminal = compute.terminal('/api/v2/instances/{instanceID}/terminal', {
    params: { path: { instanceID: 'i' } },
    onOutput: (bytes) => (text += new TextDecoder().decode(bytes)),
    onState: ({ type }) => states.push(type),
  });
  return { terminal, tokens, states, text: () => text };
}

const echo: Act = (socket) => {
  socket.send(open);
  socket.on('message', (data: Buffer) => {
    if (data.toString() === 'exit') socket.close(1000);
    else socket.send(Buffer.from(data.toString().toUpperCase()));
  });
};

it('carries input and output, with the token in a sub-protocol, until the machine ends it', async () => {
  const { terminal, tokens, states, text } = await start([echo]);
  expect(terminal.send('too early')).toBe(false);
  await expect.poll(() => states).toEqual(['connecting', 'open']);
  expect(terminal.send('hello')).toBe(true);
  await expect.poll(text).toBe('HELLO');
  terminal.send('exit');
  await terminal.ended;
  expect(tokens).toEqual(['secret']);
});

it('connects again when the server stops, and when the connection breaks', async () => {
  const { terminal, states } = await start([
    (socket) => {
      socket.send(open);
      socket.close(1001, 'the server stops');
    },
    (socket) => {
      socket.send(open);
      socket.terminate();
    },
    echo,
  ]);
  await expect.poll(() => states.filter((state) => state === 'open')).toHaveLength(3);
  expect(states).toEqual([
    'connecting',
    'open',
    'interrupted',
    'connecting',
    'open',
    'interrupted',
    'connecting',
    'open',
  ]);
  terminal.close();
  await terminal.ended;
});

it('ends with the reason of the service', async () => {
  const { terminal } = await start([
    (socket) => {
      socket.send(end(400, 'invalid_request'));
      socket.close(4400);
    },
  ]);
  await expect(terminal.ended).rejects.toMatchObject({ status: 400, message: 'because of invalid_request' });
});

it('asks for the reason of a refusal, which a browser does not see', async () => {
  const { terminal } = await start([403]);
  await expect(terminal.ended).rejects.toMatchObject({ status: 403, message: 'your roles do not allow it' });
});

it('asks for another token once when its own is refused or expires', async () => {
  let held = 'old';
  const { terminal, tokens, states } = await start(
    (token) => {
      if (token === 'old') return 401;
      return token === 'old+'
        ? (socket) => {
            socket.send(open);
            socket.send(end(401, 'access_denied'));
            socket.close(4401);
          }
        : echo;
    },
    {
      token: (refused) => {
        held = refused?.refused === held ? `${held}+` : held;
        return held;
      },
    },
  );
  await expect.poll(() => states.filter((state) => state === 'open')).toHaveLength(2);
  expect([...new Set(tokens)]).toEqual(['old', 'old+', 'old++']);
  terminal.close();
  await terminal.ended;
});

it('connects again when nothing is received for 45 seconds', async () => {
  const late: (() => void)[] = [];
  const { terminal, states } = await start(
    [
      (socket) => {
        socket.send(open);
      },
    ],
    {
      platform: { after: (_delay_ms, callback) => (late.push(callback), () => undefined) },
    },
  );
  await expect.poll(() => states).toEqual(['connecting', 'open']);
  late.at(-1)?.();
  await expect.poll(() => states).toEqual(['connecting', 'open', 'interrupted', 'connecting', 'open']);
  terminal.close();
  await terminal.ended;
});
