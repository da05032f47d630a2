import type { Readable } from 'node:stream';

import { defined } from '@unikorn/core/defined';
import type { Line } from '@unikorn/core/lines';
import { Answers } from '@unikorn/core/outbound';
import type { Telemetry } from '@unikorn/core/telemetry';
import { ensureTenure } from '@unikorn/core/tenure';
import type { World } from '@unikorn/core/world';

import { isProviderFailure } from '../../../provider/index.ts';
import type { CloudAccess, Principal } from './access.ts';
import { callsOver, jsonOf, type Calls } from './calls.ts';
import { dialler } from './dial.ts';
import { garbledFailure, type CallLabel } from './failures.ts';
import { openHttp, type HttpReply, type Method } from './http.ts';
import { limits } from './limits.ts';
import { recorderFor, type CallRecord } from './recorder.ts';
import { endpointOf, factsOf, serviceNames, type ServiceName } from './services.ts';
import type { Shape } from './shape.ts';
import { Tokens, type Holder, type Token } from './tokens.ts';
import { assertNewEnough, newestIn, versionAddress, versionAnswer } from './versions.ts';

/** Values that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SessionCall {
  readonly service: ServiceName;
  readonly method: Method;
  /** Below the address of the service. Ids in it must be encoded with `segment`. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
  /** The data of an image, instead of a body in JSON. It is sent at most once. */
  readonly data?: Readable;
  /** The type of the body where it is not plain JSON. */
  readonly contentType?: string;
  /** Such as `creating the network`; part of the message that users see. */
  readonly doing: string;
  /**
   * Whether it may be sent again when it is unknown whether it was carried out. Unless told, POST and PATCH may not,
   * and no change of a service that must not get one twice.
   */
  readonly repeatable?: boolean;
  /** For calls that take longer than others. */
  readonly deadline_ms?: number;
}

/** An answer that is not parsed yet. */
export interface Reading {
  readonly text: string;
  parse<T>(shape: Shape<T>): T;
}

/** The cloud as one principal sees it. Every call fails with a `ProviderFailure` only. */
export interface Session {
  /** The answer, for callers that may not need its body. */
  read(call: SessionCall): Promise<Reading>;
  /** The body of the answer. */
  ask<T>(call: SessionCall, shape: Shape<T>): Promise<T>;
  /** The same; undefined where the cloud says that there is no such thing. */
  find<T>(call: SessionCall, shape: Shape<T>): Promise<T | undefined>;
  /** A call whose answer has no body of interest. */
  tell(call: SessionCall): Promise<void>;
  /** A deletion. It succeeds where the thing is absent. */
  remove(call: Omit<SessionCall, 'method'>): Promise<void>;
  /** Who the principal is; asks for a token at most. */
  holder(): Promise<Holder>;
  /** The services that the catalogue has for this principal. */
  services(): Promise<readonly ServiceName[]>;
  /** Opens a line to an address that the cloud gave, such as the proxy of a serial console. */
  readonly dial: (url: string, doing: string, signal: AbortSignal) => Promise<Line>;
}

export interface OpenstackCloud {
  /** Sessions are cheap: tokens are kept by the cloud. */
  session(principal: Principal): Session;
  close(): Promise<void>;
}

export interface CloudOptions {
  readonly access: CloudAccess;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Told of each attempt of each call. */
  readonly onCall?: (record: CallRecord) => void;
}

/**
 * Opens a cloud. No call is made before the first one that is asked for.
 *
 * @example
 * const cloud = openCloud({ access, world, telemetry });
 * const flavors = await listFlavors(cloud.session({ credential, scope: { project: { id } } }));
 */
export function openCloud({ access, world, telemetry, onCall }: CloudOptions): OpenstackCloud {
  const http = openHttp(world, access);
  const calls = callsOver(http, world, recorderFor(telemetry, world, onCall));
  const tokens = new Tokens({ world, access, calls });
  const versions = new Answers<string | undefined>(world, serviceNames.length);

  async function assertVersion(service: ServiceName, endpoint: string): Promise<void> {
    if (!factsOf(service).pinned) return;
    const url = versionAddress(service, endpoint);
    const newest = await versions.get(url, async () => ({
      value: await newestVersion(calls, service, new URL(url)),
      until: world.now() + limits.versions_ms,
    }));
    assertNewEnough(service, newest);
  }

  async function send(call: SessionCall, token: Token): Promise<HttpReply> {
    const endpoint = endpointOf(token.endpoints, call.service, access);
    await assertVersion(call.service, endpoint);
    // One operation of the provider is several calls, and the lease can end between them.
    if (call.method !== 'GET') ensureTenure();
    return calls.send({
      ...labelOf(call),
      url: addressOf(endpoint, call),
      headers: headersOf(call, token),
      ...defined({ body: call.data ?? (call.body && JSON.stringify(call.body)), deadline_ms: call.deadline_ms }),
      repeatable: call.repeatable ?? isRepeatable(call),
    });
  }

  return {
    session: (principal) => sessionOf(principal, { tokens, calls, send, dial: dialler(access, world) }),
    close: () => http.close(),
  };
}

interface SessionParts {
  readonly tokens: Tokens;
  readonly calls: Calls;
  readonly send: (call: SessionCall, token: Token) => Promise<HttpReply>;
  readonly dial: Session['dial'];
}

function sessionOf(principal: Principal, { tokens, calls, send, dial }: SessionParts): Session {
  /** A token may end before its time, for example when a password changes. Then a new one is tried once. */
  async function answered(call: SessionCall): Promise<HttpReply> {
    const token = await tokens.get(principal);
    const first = await send(call, token);
    if (first.status !== 401 || call.data) return expected(call, first);
    await tokens.forget(principal, token);
    return expected(call, await send(call, await tokens.get(principal)));
  }

  function expected(call: SessionCall, reply: HttpReply): HttpReply {
    if (reply.status >= 200 && reply.status < 300) return reply;
    if (reply.status >= 400) throw calls.failureOf(labelOf(call), reply);
    throw garbledFailure(labelOf(call), reply, 'the answer is a redirection');
  }

  async function read(call: SessionCall): Promise<Reading> {
    const reply = await answered(call);
    return {
      text: reply.text,
      parse: (shape) => {
        const body = jsonOf(reply);
        if (shape.Check(body)) return body;
        throw garbledFailure(
          labelOf(call),
          reply,
          body === undefined ? 'the answer is not JSON' : 'the answer does not have the fields that it should have',
        );
      },
    };
  }

  async function ask<T>(call: SessionCall, shape: Shape<T>): Promise<T> {
    return (await read(call)).parse(shape);
  }

  return {
    read,
    ask,
    async find(call, shape) {
      try {
        return await ask(call, shape);
      } catch (error) {
        if (isProviderFailure(error, 'not_found')) return undefined;
        throw error;
      }
    },
    async tell(call) {
      await answered(call);
    },
    async remove(call) {
      try {
        await answered({ ...call, method: 'DELETE' });
      } catch (error) {
        if (!isProviderFailure(error, 'not_found')) throw error;
      }
    },
    async holder() {
      return (await tokens.get(principal)).holder;
    },
    dial,
    async services() {
      const { endpoints } = await tokens.get(principal);
      return serviceNames.filter((service) => endpoints[service] !== undefined);
    },
  };
}

async function newestVersion(calls: Calls, service: ServiceName, url: URL): Promise<string | undefined> {
  const label: CallLabel = { service, method: 'GET', path: url.pathname, doing: 'reading the versions of the cloud' };
  const reply = await calls.send({
    ...label,
    url,
    headers: { accept: 'application/json' },
    repeatable: true,
  });
  // A service that has several versions answers 300.
  if (reply.status !== 200 && reply.status !== 300) throw calls.failureOf(label, reply);
  const body = jsonOf(reply);
  if (!versionAnswer.Check(body)) throw garbledFailure(label, reply, 'the answer does not describe versions');
  return newestIn(body);
}

function labelOf({ service, method, path, doing }: SessionCall): CallLabel {
  return { service, method, path, doing };
}

function isRepeatable({ service, method }: SessionCall): boolean {
  if (method === 'GET') return true;
  return method !== 'POST' && method !== 'PATCH' && !factsOf(service).changesOnce;
}

function addressOf(endpoint: string, { path, query = {} }: SessionCall): URL {
  const url = new URL(`${endpoint}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of typeof value === 'object' ? value : [value]) url.searchParams.append(name, String(one));
  }
  return url;
}

function headersOf(call: SessionCall, token: Token): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'x-auth-token': token.text,
    ...factsOf(call.service).pinned?.headers,
    ...(call.body || call.data ? { 'content-type': call.contentType ?? 'application/json' } : {}),
  };
}

/** An id or a name as a part of a path. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}
