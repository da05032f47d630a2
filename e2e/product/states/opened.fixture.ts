import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { systemWorld } from '@unikorn/core/world';

import { freePort } from '../../free-port.fixture.ts';
import { Unikorn } from '../../../packages/unikorn/src/unikorn.fixture.ts';
import { send, type ServiceName } from '../running.fixture.ts';

/** A host name that does not depend on the port: the state contains it, for example as the issuer of tokens. */
export const publicUrl = 'https://unikorn.fixture.example';

/** Nothing in a kept state may expire, neither tokens nor histories. */
const century_days = '36500';

const serveArgs = [
  '--host',
  '127.0.0.1',
  '--public-url',
  publicUrl,
  '--service-account-token-lifetime',
  century_days,
  '--history-retention',
  century_days,
  '--log-level',
  'warn',
];

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export type Ask = (
  service: ServiceName,
  method: string,
  path: string,
  options?: { readonly token?: string; readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
) => Promise<Answered>;

/** The executable of this checkout with a state directory. */
export async function serveState(directory: string) {
  const port = await freePort('127.0.0.1');
  const unikorn = new Unikorn(['serve', '--state', directory, '--port', String(port), ...serveArgs], {
    UNIKORN_PARENT: String(process.pid),
  });
  await unikorn.ready();
  const credentials = unikorn.credentials();
  const agent = new Agent({ keepAlive: true });
  const ask: Ask = async (service, method, path, options = {}) => {
    const { token = credentials.adminToken, body, headers = {} } = options;
    const answer = await send(agent, `http://127.0.0.1:${port}/${service}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body ? { payload: body } : {}),
    });
    // A busy server asks its clients to retry.
    if (answer.statusCode === 503 || answer.statusCode === 429) {
      await systemWorld.sleep(Number(answer.headers['retry-after'] ?? 1) * 1000);
      return ask(service, method, path, options);
    }
    const parsed: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
    return { status: answer.statusCode, body: parsed };
  };
  const end = (signal: NodeJS.Signals) => {
    agent.destroy();
    return unikorn.kill(signal);
  };
  return { credentials, ask, end };
}

export type ServedState = Awaited<ReturnType<typeof serveState>>;

/** A copy of a kept state, for one run. */
export function copyOfState(kept: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'unikorn-state-'));
  cpSync(join(kept, 'state'), path, { recursive: true });
  writeFileSync(join(path, 'state.db'), gunzipSync(readFileSync(join(path, 'state.db.gz'))));
  rmSync(join(path, 'state.db.gz'));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
