import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Telemetry } from '@unikorn/core/telemetry';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import type { CloudAccess, Principal } from './access.ts';
import type { CallRecord } from './recorder.ts';
import { openCloud } from './session.ts';

export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly token: string | undefined;
}

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string;
}

/** The answer; `drop` cuts the connection, `silent` never answers. */
export type Reaction = Given | 'drop' | 'silent';

export interface CloudScript {
  /** Everything but tokens and versions. */
  readonly answer?: (asked: Asked, count: number) => Reaction;
  /** Requests for a token. A token is `token-<number>` unless told. */
  readonly login?: (asked: Asked, count: number) => Reaction | undefined;
  readonly tokenLife_ms?: number;
  readonly novaVersion?: string;
  readonly catalogue?: (address: string) => readonly object[];
}

export const principal: Principal = {
  credential: { method: 'password', user: { id: 'u' }, password: 'hidden' },
  scope: { project: { id: 'p' } },
};

/** A cloud on a socket of this machine, which answers as the test says, and a client of it in virtual time. */
export async function startCloud(
  script: CloudScript,
  access: Partial<CloudAccess> = {},
  telemetry: Telemetry = silentTelemetry(),
) {
  const asked: Asked[] = [];
  const logins: Asked[] = [];
  const server = createServer((request, response) => {
    const handle = (text: string) => {
      const url = new URL(request.url ?? '/', 'http://cloud');
      const one: Asked = {
        method: request.method ?? '',
        path: `${url.pathname}${url.search}`,
        query: url.searchParams,
        headers: request.headers,
        body: bodyIn(text, request.headers['content-type']),
        token: request.headers['x-auth-token'] as string | undefined,
      };
      if (url.pathname === '/identity/v3/auth/tokens') {
        logins.push(one);
        react(response, script.login?.(one, logins.length) ?? tokenAnswer(script, address, one, logins.length));
      } else if (url.pathname === '/compute/v2.1/' && one.token === undefined) {
        react(response, { body: { version: { id: 'v2.1', version: script.novaVersion ?? '2.93' } } });
      } else {
        asked.push(one);
        react(response, script.answer?.(one, asked.length) ?? { status: 404, body: {} });
      }
    };
    bodyOf(request).then(handle, () => {
      // The client broke off.
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = virtualWorld();
  const records: CallRecord[] = [];
  const cloud = openCloud({
    access: { authUrl: `${address}/identity`, interface: 'public', tls: { verify: true }, ...access },
    world,
    telemetry,
    onCall: (record) => records.push(record),
  });
  const goDown = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return {
    address,
    asked,
    logins,
    records,
    world,
    cloud,
    session: cloud.session(principal),
    goDown,
    /** How many connections are open. */
    connections: () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => {
          if (error) reject(error);
          else resolve(count);
        });
      }),
    stop: async () => {
      await goDown();
      await cloud.close();
    },
  };
}

function bodyIn(text: string, type = 'application/json'): unknown {
  if (text === '') return undefined;
  return type.includes('json') ? (JSON.parse(text) as unknown) : text;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function react(response: ServerResponse, reaction: Reaction): void {
  if (reaction === 'silent') return;
  if (reaction === 'drop') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body = '' } = reaction;
  const isText = typeof body === 'string';
  response
    .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    .end(isText ? body : JSON.stringify(body));
}

function tokenAnswer(
  { tokenLife_ms = 3600_000, catalogue }: CloudScript,
  address: string,
  asked: Asked,
  count: number,
): Given {
  const issued = Date.parse('2020-01-01T00:00:00Z');
  return {
    status: 201,
    headers: { 'x-subject-token': `token-${count}` },
    body: {
      token: {
        issued_at: new Date(issued).toISOString(),
        expires_at: new Date(issued + tokenLife_ms).toISOString(),
        user: { id: 'u', name: 'user', domain: { id: 'd' } },
        project: { id: projectOf(asked), name: 'project' },
        roles: [{ id: 'r', name: 'member' }],
        catalog: catalogue?.(address) ?? [
          service('compute', `${address}/compute/v2.1`),
          service('network', `${address}/network/`),
          service('image', `${address}/image`),
        ],
      },
    },
  };
}

/** The project that a request for a token names. */
export function projectOf({ body }: Asked): string {
  return (body as { auth: { scope?: { project?: { id?: string } } } }).auth.scope?.project?.id ?? 'p';
}

/** An entry of a catalogue. */
export function service(type: string, url: string, region = 'RegionOne'): object {
  return { type, endpoints: [{ interface: 'public', url, region_id: region }] };
}
