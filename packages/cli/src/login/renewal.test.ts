import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { changeContexts, readContexts } from '../contexts/file.ts';
import { renewedToken } from './renewal.ts';

let configDirectory: string;
let server: Server;
let base: string;
/** The current refresh token; undefined after one was used twice, as in the identity service. */
let good: string | undefined;
let renewals: number;
let now: Date;

beforeEach(async () => {
  configDirectory = await mkdtemp(join(tmpdir(), 'unikorn-renewal-'));
  [good, renewals, now] = ['refresh-0', 0, new Date('2026-06-01T12:00:00Z')];
  server = createServer((request, answer) => {
    const issuer = `${base}/identity`;
    if (request.method === 'GET') {
      answer
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token` }));
      return;
    }
    void text(request).then((form) => {
      const spent = new URLSearchParams(form).get('refresh_token') !== good;
      renewals += 1;
      good = spent ? undefined : `refresh-${renewals}`;
      const granted = {
        access_token: `access-${renewals}`,
        refresh_token: good,
        expires_in: 3600,
        token_type: 'bearer',
      };
      answer
        .writeHead(spent ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(spent ? { error: 'invalid_grant' } : granted));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  await changeContexts(terminal(), () => ({
    contexts: {
      here: {
        endpoints: base,
        auth: { accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt: '2026-06-01T12:30:00Z' },
      },
    },
  }));
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(configDirectory, { recursive: true });
});

function terminal() {
  return {
    configDirectory,
    now: () => now,
    signal: new AbortController().signal,
    sleep: (duration_ms: number) => sleep(duration_ms),
  };
}

/** The tokens of a command that starts now. */
const command = () => renewedToken('here', base, terminal());

it('a token that is valid long enough is used unchanged', async () => {
  expect(await command()()).toBe('access-0');
  expect(renewals).toBe(0);
});

it('a token that expires soon is renewed and stored, with its new refresh token', async () => {
  now = new Date('2026-06-01T12:29:30Z');
  expect(await command()()).toBe('access-1');
  expect((await readContexts({ configDirectory })).contexts['here']?.auth).toEqual({
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    expiresAt: '2026-06-01T13:29:30.000Z',
  });
});

it('a token that a service refused is renewed once, although it is valid for long', async () => {
  const token = command();
  const refused = await token();
  expect(await Promise.all([token({ refused }), token({ refused })])).toEqual(['access-1', 'access-1']);
  expect(await token()).toBe('access-1');
  expect(renewals).toBe(1);
});

it('a command that runs for hours renews again and again', async () => {
  const token = command();
  for (const hour of [13, 14, 15]) {
    now = new Date(`2026-06-01T${hour}:45:00Z`);
    expect(await token()).toBe(`access-${renewals}`);
  }
  expect(renewals).toBe(3);
});

it('concurrent commands and requests renew once, so that no refresh token is used twice', async () => {
  now = new Date('2026-06-01T13:00:00Z');
  const tokens = await Promise.all([command(), command(), command()].flatMap((token) => [token(), token()]));
  expect(tokens).toEqual(Array(6).fill('access-1'));
  expect({ renewals, good }).toEqual({ renewals: 1, good: 'refresh-1' });
});

it('a login that has ended is reported, with the command to log in again', async () => {
  now = new Date('2026-06-01T13:00:00Z');
  good = 'another';
  await expect(command()()).rejects.toMatchObject({
    ending: 'forbidden',
    message: `your login at ${base} has ended`,
    hints: [`log in again: unikorn login ${base}`],
  });
});
