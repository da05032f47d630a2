import { Agent, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startLogin, tokensOf, type RunningLogin } from './oauth2.fixture.ts';

let login: RunningLogin;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeEach(async () => {
  login = await startLogin();
  await login.server.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  agent.destroy();
  await login.stop();
});

interface Sent {
  readonly status: number | undefined;
  readonly body: string;
  readonly port: number | undefined;
}

function send(method: 'GET' | 'POST' | 'HEAD', path: string, form?: string): Promise<Sent> {
  const { port } = login.server.server.address() as AddressInfo;
  const headers = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const call = request(
      { agent, host: '127.0.0.1', port, method, path: `/identity${path}`, headers },
      (response: IncomingMessage) => {
        let body = '';
        const from = response.socket.localPort;
        response
          .on('data', (chunk: Buffer) => (body += chunk.toString()))
          .on('end', () => {
            resolve({ status: response.statusCode, body, port: from });
          });
      },
    );
    call.on('error', reject).end(form);
  });
}

describe('on one real connection', () => {
  it('forms and pages follow each other', async () => {
    const { refresh_token: token } = await tokensOf(login);
    const answers = [
      await send('GET', '/.well-known/openid-configuration'),
      await send(
        'POST',
        '/oauth2/v2/token',
        `grant_type=refresh_token&refresh_token=${token}&client_id=console&client_secret=console-secret`,
      ),
      await send('POST', '/oauth2/v2/token', 'grant_type=refresh_token'),
      await send('HEAD', '/oauth2/v2/jwks'),
      await send('POST', '/oauth2/v2/userinfo', 'access_token=garbage'),
      await send('GET', '/oauth2/v2/jwks'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 401, 200]);
    expect(new Set(answers.map(({ port }) => port)).size).toBe(1);
    expect(JSON.parse(answers[1]?.body ?? '')).toMatchObject({ token_type: 'Bearer' });
  });
});
