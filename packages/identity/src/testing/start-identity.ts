import { Caches } from '@unikorn/core/controller';
import { createServer } from '@unikorn/core/http';
import type { TextRecords } from '@unikorn/core/outbound';
import { runParts, withParts } from '@unikorn/core/parts';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld, type Around } from '@unikorn/core/testing';

import type { IdentityConfiguration } from '../configuration.ts';
import { identityKinds } from '../kinds/index.ts';
import { createIdentity } from '../service.ts';
import { Founder } from './founder.ts';
import { signIn, testEncryptionKey } from './sign-in.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Call {
  /** `user:<mail address>` logs that user in first. */
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface StartOptions {
  readonly configuration?: IdentityConfiguration;
  /** Intercepts the calls of the service to its store, to cause races. */
  readonly around?: Around;
  /** The DNS records of domains. */
  readonly textRecords?: TextRecords;
}

/**
 * The whole service on a memory store in virtual time.
 *
 * @example const identity = await startIdentity(); afterAll(() => identity.stop());
 */
export async function startIdentity({
  configuration = {},
  around,
  textRecords = () => Promise.resolve([]),
}: StartOptions = {}) {
  const world = virtualWorld();
  const telemetry = silentTelemetry();
  const memory = openMemoryStore({ world, kinds: identityKinds });
  const store = around ? interpose(memory, around) : memory;
  const caches = new Caches({ store, world, telemetry });
  const identity = createIdentity({
    store,
    world,
    telemetry,
    caches,
    processName: 'test',
    version: '0.0.0',
    issuer: 'https://cloud.example.com/identity',
    encryptionKey: testEncryptionKey,
    configuration,
    textRecords,
  });
  const server = await createServer({
    services: [withParts(identity.service, identity.parts)],
    store,
    world,
    telemetry,
    contract: 'enforced',
    certificates: 'forwarded',
  });
  const stop = new AbortController();
  const running = runParts({ world, caches }, identity.parts, stop.signal);

  const tokenFor = (token: string) =>
    token.startsWith('user:') ? signIn({ store: memory, world }, token.slice('user:'.length)) : token;
  const call = async (method: Method, path: string, { token, body, headers = {} }: Call = {}): Promise<Answer> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${await tokenFor(token)}` };
    const response = await server.inject({
      method,
      url: `/identity${path}`,
      headers: { ...authorization, ...headers },
      ...(body ? { payload: body } : {}),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : response.json<unknown>(),
      headers: response.headers,
    };
  };
  return {
    world,
    telemetry,
    /** Without interception. */
    store: memory,
    server,
    identity,
    found: new Founder(memory, world),
    call,
    async stop() {
      stop.abort();
      await world.settle();
      await running;
      await server.close();
      await memory.close();
    },
  };
}

export type RunningIdentity = Awaited<ReturnType<typeof startIdentity>>;
