import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemWorld } from '@unikorn/core/world';

import { temporaryFolder, Unikorn, type Ended } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { access } from './cloud.fixture.ts';
import type { Json } from './cloud/caller.ts';
import { send } from './cloud/http.ts';

/** The cloud is real: building a server and removing a network take a while on a busy machine. */
export const patience_ms = 600_000;

/** The executable in its own process, with a state that is removed afterwards. */
export async function startProduct() {
  const folder = temporaryFolder();
  const state = join(folder.path, 'state');
  const environment = { UNIKORN_PARENT: String(process.pid), UNIKORN_STATE: state, HOME: folder.path };
  const serve = (port: string) =>
    new Unikorn(['serve', '--port', port, '--log-level', 'error', '--monitor-period', '2'], environment);
  let unikorn = serve('0');
  await unikorn.ready();
  const credentials = unikorn.credentials();
  let earlierErrors = '';
  const call = async (
    service: 'identity' | 'region' | 'compute',
    method: string,
    path: string,
    { token = credentials.token ?? '', body }: { readonly token?: string; readonly body?: object } = {},
  ): Promise<{ readonly status: number; readonly body: Json }> =>
    send(method, `${credentials.endpoints[service]}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { body } : {}),
    });
  return {
    state,
    credentials,
    /** As an administrator of the demo organization, unless another token is given. */
    call,
    /** Puts credentials where the product reads those of regions. */
    keepSecret: (name: string, values: Readonly<Record<string, string>>) => {
      keepSecret(state, name, values);
    },
    /** A command of the command line, as the platform administrator. */
    run: (...args: readonly string[]): Promise<Ended> =>
      new Unikorn(args, { ...environment, UNIKORN_TOKEN: credentials.adminToken }).ended,
    /** Ends the process without any warning, and starts it again at the same address. */
    crash: async () => {
      earlierErrors += (await unikorn.kill('SIGKILL')).errors;
      unikorn = serve(new URL(credentials.endpoints.identity).port);
      await unikorn.ready();
    },
    /** Returns the errors that it has logged since the first start. */
    stop: async () => {
      const { errors } = await unikorn.kill('SIGTERM');
      folder.remove();
      return earlierErrors + errors;
    },
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** Puts credentials where the product with this state directory reads those of regions. */
export function keepSecret(state: string, name: string, values: Readonly<Record<string, string>>): void {
  const path = join(state, 'secrets/regions', name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const [key, value] of Object.entries(values)) writeFileSync(join(path, key), `${value}\n`, { mode: 0o600 });
}

/** The settings of a region in the cloud under test. */
export function regionSettings(secret: string) {
  return {
    endpoint: access.authUrl,
    regionName: access.region,
    serviceAccountSecret: { namespace: 'regions', name: secret },
    network: { externalNetworks: { selector: { tags: [access.externalNetworkTag] } } },
  };
}

/** Repeats a read until the condition is true. */
export async function eventually<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const end = systemWorld.monotonic_ms() + patience_ms;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (systemWorld.monotonic_ms() > end)
      throw new Error(`not within ${patience_ms} ms; last seen: ${JSON.stringify(seen)}`);
    await systemWorld.sleep(500);
  }
}
