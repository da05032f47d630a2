import { Agent, request } from 'node:http';

import type { WireAnswer } from '@unikorn/core/testing/contract';
import { systemWorld } from '@unikorn/core/world';
import type { Answer, Call, Method } from '@unikorn/identity/testing';

import { Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';

export type ServiceName = 'identity' | 'region' | 'compute';

export interface HttpRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly payload?: string | object;
}

/** Longer than any operation takes in a cloud without delays. A test that waits this long has found a bug. */
export const shortPatience_ms = 30_000;

/** The contract test sends more refused requests per second than any client. */
const unhurried = { UNIKORN_REQUESTS_PER_SECOND: '100000', UNIKORN_ANONYMOUS_REQUESTS_PER_SECOND: '100000' };

/**
 * The executable in its own process, and access with its credentials. Its state is in the given folder, or in one that
 * is removed afterwards.
 */
export async function startProduct(state?: string) {
  const where = state === undefined ? ['--ephemeral'] : ['--monitor-period', '2'];
  // It ends with its parent, so that an aborted test leaves no process.
  const unikorn = new Unikorn(['serve', '--port', '0', '--log-level', 'silent', ...where], {
    UNIKORN_PARENT: String(process.pid),
    ...(state === undefined ? {} : { UNIKORN_STATE: state }),
    ...unhurried,
  });
  await unikorn.ready();
  const credentials = unikorn.credentials();
  const agent = new Agent({ keepAlive: true });
  const call = async (
    service: ServiceName,
    method: Method,
    path: string,
    { token = credentials.adminToken, body, headers = {} }: Call = {},
  ): Promise<Answer> => {
    const answer = await send(agent, `${credentials.endpoints[service]}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body ? { payload: body } : {}),
    });
    return {
      status: answer.statusCode,
      body: answer.body === '' ? undefined : JSON.parse(answer.body),
      headers: answer.headers,
    };
  };
  for (const regionId of [credentials.regionId, credentials.secondaryRegionId])
    await call('region', 'PUT', `/api/v2/regions/${regionId}/simulation`, { body: instantly });
  return {
    credentials,
    send: (url: string, sent: HttpRequest) => send(agent, url, sent),
    /** As the platform administrator, unless another token is given. */
    call,
    async stop() {
      agent.destroy();
      await unikorn.kill('SIGTERM');
    },
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;

const instantly = {
  call_ms: 0,
  build_ms: 0,
  power_ms: 0,
  delete_ms: 0,
  image_ms: 0,
  loadBalancer_ms: 0,
  fileStorage_ms: 0,
};

/** Repeats a read until the condition is true. */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  patience_ms = shortPatience_ms,
): Promise<T> {
  const end = systemWorld.monotonic_ms() + patience_ms;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (systemWorld.monotonic_ms() > end)
      throw new Error(`not within ${patience_ms} ms; last seen: ${JSON.stringify(seen)}`);
    await systemWorld.sleep(20);
  }
}

export function send(agent: Agent, url: string, { method, headers = {}, payload }: HttpRequest): Promise<WireAnswer> {
  const type = typeof payload === 'object' ? { 'content-type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...type, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        resolve({
          statusCode: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.on('error', reject);
    sent.end(typeof payload === 'object' ? JSON.stringify(payload) : payload);
  });
}
