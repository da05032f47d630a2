import { createHash } from 'node:crypto';

import { tokenCaller } from '@unikorn/core/access';
import { Caches } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import { createServer } from '@unikorn/core/http';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { createTelemetry } from '@unikorn/core/telemetry';
import { capture, interpose, virtualWorld, type Around } from '@unikorn/core/testing';

import { GlobalBindings, RoleCatalogue, serviceAccountVerifier, Tenancy, userDirectory } from '../access/index.ts';
import { identityKinds, OAuth2Provider } from '../kinds/index.ts';
import { Founder } from '../testing/founder.ts';
import { Browser, type Visit } from './browser.fixture.ts';
import type { ConfiguredClient } from './clients.ts';
import type { ConfiguredProvider } from './federation/providers.ts';
import { createOAuth2 } from './oauth2.ts';

export const issuer = 'http://127.0.0.1:6080/identity';
export const encryptionKey = new Uint8Array(32).fill(7);
export const password = 'correct horse battery staple';
export const alice = 'alice@example.com';
export const root = 'root@example.com';

/** The web console: confidential, with one address. */
export const consoleClient = {
  id: 'console',
  secret: 'console-secret',
  redirectUris: ['https://console.example.com/oauth2/callback'] as const,
  postLogoutRedirectUris: ['https://console.example.com/bye'] as const,
} satisfies ConfiguredClient;
export const publicClient = {
  id: 'page',
  redirectUris: ['http://127.0.0.1:9999/callback'] as const,
} satisfies ConfiguredClient;
/** The command line, which listens on any free port during a login. */
export const nativeClient = {
  id: 'cli',
  redirectUris: ['http://127.0.0.1/callback'] as const,
  native: true,
} satisfies ConfiguredClient;

/** An application with its own login page, like the original's web UI. */
export const portalClient = {
  id: 'portal',
  secret: 'portal-secret',
  redirectUris: ['https://portal.example.com/callback'] as const,
  loginUri: 'https://portal.example.com/login?theme=dark',
} satisfies ConfiguredClient;

export const verifier = 'a-verifier-of-at-least-forty-three-characters-in-length';
export const challenge = createHash('sha256').update(verifier).digest('base64url');

export interface LoginOptions {
  readonly providers?: readonly ConfiguredProvider[];
  readonly issuer?: string;
  /** Between the store and its users. The store is then one of several processes. */
  readonly around?: Around;
}

/** Login and tokens on a memory store in virtual time, with a user who has a password. */
export async function startLogin(options: LoginOptions = {}) {
  const world = virtualWorld();
  const lines: string[] = [];
  const telemetry = createTelemetry({
    service: 'identity',
    version: '0',
    world,
    log: { level: 'trace', destination: capture(lines), pretty: false },
    tracing: { samplingRatio: 0 },
  });
  const memory = openMemoryStore({ world, kinds: identityKinds });
  const store = options.around ? interpose(memory, options.around, { sole: false }) : memory;
  const caches = new Caches({ store, world, telemetry });
  const roles = new RoleCatalogue();
  const tenancyOf = (administrator: string) =>
    new Tenancy({
      caches,
      world,
      telemetry,
      roles,
      bindings: new GlobalBindings(roles, { [administrator]: ['platform-administrator'] }),
    });
  const tenancy = tenancyOf(root);
  const found = new Founder(store, world);
  const create = (administrator = root) =>
    createOAuth2({
      store,
      world,
      telemetry,
      issuer: options.issuer ?? issuer,
      encryptionKey,
      users: userDirectory(store),
      serviceAccounts: serviceAccountVerifier({ store, world }),
      services: new Set(),
      tenancy: administrator === root ? tenancy : tenancyOf(administrator),
      clients: [consoleClient, publicClient, nativeClient, portalClient],
      providers: options.providers ?? [],
      passwordCost: { memory_kib: 64, passes: 1, parallelism: 1 },
    });
  const oauth2 = create();
  const server = await createServer({
    services: [
      {
        name: 'identity',
        version: '0',
        base: '/identity',
        authorizationServer: issuer,
        routes: oauth2.routes,
        rawRoutes: oauth2.rawRoutes,
        authenticator: {
          authenticate: async (credentials, scope) => {
            const holder =
              credentials.type === 'token' ? await oauth2.tokenVerifier.verify(credentials.token) : undefined;
            if (!holder) throw new Problem('access_denied', 'the token is not valid');
            return tokenCaller(holder, scope);
          },
          access: (caller) =>
            Promise.resolve(tenancy.aclOf({ type: 'user', subject: caller.subject }, caller.principal.organizationIds)),
        },
      },
    ],
    store,
    world,
    telemetry,
    contract: 'enforced',
  });
  const stop = new AbortController();
  const running = [caches.run(stop.signal), oauth2.run(stop.signal), oauth2.sweeper.run(stop.signal)];
  await found.user(alice);
  await oauth2.setPassword(alice, password);
  // Secrets are encrypted on other threads, so it takes some turns until the configured providers are stored.
  while ((await store.list(OAuth2Provider)).items.length < (options.providers ?? []).length) await world.turn();
  const clerk = new Clerk(server);
  return {
    world,
    store,
    found,
    oauth2,
    server,
    lines,
    clerk,
    /** Another process on the same store, perhaps with another platform administrator. */
    create,
    browser: (remoteAddress = '192.0.2.1') =>
      new Browser(new URL(issuer).origin, (request) => server.inject({ ...request, remoteAddress })),
    async stop() {
      stop.abort();
      await world.settle();
      await Promise.all(running);
      await server.close();
      await store.close();
    },
  };
}

export type RunningLogin = Awaited<ReturnType<typeof startLogin>>;

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly [name: string]: unknown;
}

/** The address at which a login begins, as the web console requests it: with a code challenge and without a state. */
export function authorizationUrl(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: consoleClient.id,
    redirect_uri: consoleClient.redirectUris[0],
    scope: 'openid email profile',
    nonce: 'a-nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return `${issuer}/oauth2/v2/authorization?${query.toString()}`;
}

/** Calls the token endpoint as the servers of applications do. */
class Clerk {
  readonly #server: Awaited<ReturnType<typeof createServer>>;

  constructor(server: Awaited<ReturnType<typeof createServer>>) {
    this.#server = server;
  }

  async post(
    path: string,
    form: string | Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString();
    const response = await this.#server.inject({
      method: 'POST',
      url: `/identity${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload,
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: (response.body === '' ? {} : response.json()) as Tokens & { error?: string; error_description?: string },
    };
  }

  token(form: Readonly<Record<string, string>>) {
    return this.post('/oauth2/v2/token', form);
  }

  redeem(code: string, changes: Readonly<Record<string, string>> = {}) {
    return this.token({
      grant_type: 'authorization_code',
      code,
      client_id: consoleClient.id,
      client_secret: consoleClient.secret,
      redirect_uri: consoleClient.redirectUris[0],
      code_verifier: verifier,
      ...changes,
    });
  }

  refresh(refreshToken: string, changes: Readonly<Record<string, string>> = {}) {
    return this.token({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: consoleClient.id,
      client_secret: consoleClient.secret,
      ...changes,
    });
  }

  exchange(subjectToken: string, changes: Readonly<Record<string, string>> = {}) {
    return this.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: subjectToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      ...changes,
    });
  }

  async userinfo(token: string) {
    const response = await this.#server.inject({
      method: 'GET',
      url: '/identity/oauth2/v2/userinfo',
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() };
  }
}

/** Opens the login page, enters the password, and returns the address at which the application is called. */
export async function logIn(
  browser: Browser,
  subject = alice,
  typed = password,
  url = authorizationUrl(),
): Promise<Visit> {
  const page = await browser.get(url);
  if (page.location === undefined) return page;
  return browser.follow(await browser.submit(page.location, { email: subject, password: typed }));
}

/** The code in the address at which the application is called. */
export function codeOf({ location = '' }: Visit): string {
  return new URL(location, issuer).searchParams.get('code') ?? '';
}

export async function tokensOf({ browser, clerk }: RunningLogin, subject = alice): Promise<Tokens> {
  return (await clerk.redeem(codeOf(await logIn(browser(), subject)))).body;
}
