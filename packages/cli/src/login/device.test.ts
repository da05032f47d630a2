import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { fakeTerminal } from '../testing/product.ts';
import { showsBrowser } from '../terminal.ts';
import { logInElsewhere } from './pages.ts';

let server: Server;
let base: string;
/** The successive responses of the control plane. */
let answers: readonly object[];
let asked: URLSearchParams[];
let knowsDevices: boolean;

const granted = { access_token: 'access', refresh_token: 'refresh', expires_in: 3600, token_type: 'bearer' };

beforeEach(async () => {
  [answers, asked, knowsDevices] = [[granted], [], true];
  server = createServer((request, answer) => {
    const issuer = `${base}/identity`;
    const send = (body: object, status = 200) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET')
      send({
        issuer,
        token_endpoint: `${issuer}/token`,
        ...(knowsDevices ? { device_authorization_endpoint: `${issuer}/device_authorization` } : {}),
      });
    else if (request.url?.endsWith('/device_authorization'))
      send({
        device_code: 'device',
        user_code: 'BCDF-GHJK',
        verification_uri: `${issuer}/device`,
        expires_in: 600,
        interval: 0.01,
      });
    else {
      void text(request).then((form) => {
        asked.push(new URLSearchParams(form));
        const next = answers[asked.length - 1] ?? granted;
        send(next, 'error' in next ? 400 : 200);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

it('shows the address and the code, and waits until it is entered', async () => {
  answers = [{ error: 'authorization_pending' }, { error: 'authorization_pending' }, granted];
  const terminal = fakeTerminal({ hasBrowser: false });
  expect(await logInElsewhere(base, terminal)).toMatchObject({ accessToken: 'access', refreshToken: 'refresh' });
  expect(asked.map((form) => form.get('device_code'))).toEqual(['device', 'device', 'device']);
  const { stderr } = terminal.written();
  for (const part of [`${base}/identity/device`, 'BCDF-GHJK', 'valid for 10 minutes']) expect(stderr).toContain(part);
});

it.each([
  ['the user refuses', { error: 'access_denied' }, 'the login was refused on the page'],
  ['the code expires', { error: 'expired_token' }, 'the code was not entered in time'],
  ['the control plane has forgotten the code', { error: 'invalid_grant' }, 'the code was not entered in time'],
])('shows the reason if %s', async (_what, answer, message) => {
  answers = [answer];
  await expect(logInElsewhere(base, fakeTerminal())).rejects.toThrow(message);
});

it('ends when the user presses Ctrl-C', async () => {
  answers = Array.from({ length: 10_000 }, () => ({ error: 'authorization_pending' }));
  const interruption = new AbortController();
  const waiting = logInElsewhere(base, fakeTerminal({ signal: interruption.signal }));
  while (asked.length < 2) await sleep(5);
  interruption.abort(new Error('interrupted'));
  await expect(waiting).rejects.toThrow('interrupted');
});

it('reports a control plane without device codes', async () => {
  knowsDevices = false;
  await expect(logInElsewhere(base, fakeTerminal())).rejects.toThrow('too old to log in on another device');
});

it.each([
  ['a desktop', { DISPLAY: ':0' }, 'linux', true],
  ['a Wayland desktop', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
  ['a server', {}, 'linux', false],
  ['a server whose DISPLAY is empty', { DISPLAY: '' }, 'linux', false],
  ['a Mac', {}, 'darwin', true],
  ['a Mac over SSH', { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }, 'darwin', false],
] as const)('a browser is opened on %s or not', (_what, env, platform, expected) => {
  expect(showsBrowser(env, platform)).toBe(expected);
});
