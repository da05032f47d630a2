import { Agent, request } from 'node:http';

import { systemWorld } from '@unikorn/core/world';

import type { ServiceName } from '../../packages/unikorn/src/parts/table.ts';
import type { Replica } from './platform.fixture.ts';

export interface Shown {
  readonly metadata: { readonly id: string; readonly name: string; readonly description?: string } & {
    readonly provisioningStatus: string;
  };
  readonly status: { readonly powerState?: string; readonly accessToken: string };
}

export interface Result {
  readonly status: number;
  readonly body: unknown;
  readonly etag: string;
  /** How many attempts had no definite answer. Each of them may have taken effect. */
  readonly doubts: number;
}

export interface Ask {
  readonly token: string;
  readonly body?: object;
  readonly key?: string;
  /** The version that a change is for. */
  readonly ifMatch?: string;
}

/** A test that waits this long for an answer has found a bug. */
const patience_ms = 180_000;
/** A frozen process does not answer. Then the client asks the other one. */
const answer_ms = 10_000;
/** Where nothing is frozen, only a busy machine delays an answer. */
const longAnswer_ms = 60_000;

/** A client of the public API that uses the replicas in turn, and asks again where there is no definite answer. */
export class Client {
  readonly #replicas: readonly Replica[];
  readonly #agent = new Agent({ keepAlive: true });
  #turn = 0;
  readonly counts = { requests: 0, doubts: 0 };

  constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas.filter(({ servesApi }) => servesApi);
  }

  async call(service: ServiceName, method: string, path: string, ask: Ask): Promise<Result> {
    const end_ms = systemWorld.monotonic_ms() + patience_ms;
    for (let doubts = 0; ; doubts++) {
      const { status, text, etag, retryAfter } = await this.#once(service, method, path, ask).catch(
        (error: unknown) => ({ status: 0, etag: '', text: String(error), retryAfter: undefined }),
      );
      this.counts.requests++;
      if (isDefinite(status, retryAfter))
        return { status, body: text === '' ? undefined : JSON.parse(text), etag, doubts };
      this.counts.doubts++;
      if (systemWorld.monotonic_ms() > end_ms)
        throw new Error(
          `${method} ${service}${path} had no definite answer in ${patience_ms} ms; the last one: ${status} ${text}`,
        );
      await systemWorld.sleep(250);
    }
  }

  stop(): void {
    this.#agent.destroy();
  }

  #once(service: ServiceName, method: string, path: string, asked: Ask): Promise<Once> {
    const replicas = this.#replicas.filter((each) => each.service === service);
    const replica = replicas[this.#turn++ % replicas.length];
    if (!replica) throw new Error(`there is no replica of ${service}`);
    return ask(replica, method, path, asked, { agent: this.#agent, patience_ms: answer_ms });
  }
}

/** Sends one request to one replica. */
export function ask(
  { service, ports }: Replica,
  method: string,
  path: string,
  { token, body, key, ifMatch }: Ask,
  { agent, patience_ms = longAnswer_ms }: { readonly agent?: Agent; readonly patience_ms?: number } = {},
): Promise<Once> {
  return new Promise<Once>((resolve, reject) => {
    const sent = request(
      `http://127.0.0.1:${ports.open}/${service}${path}`,
      {
        ...(agent ? { agent } : {}),
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { etag = '', 'retry-after': retryAfter } = answer.headers;
          resolve({ status: answer.statusCode ?? 0, text, etag, retryAfter });
        });
      },
    );
    void systemWorld.sleep(patience_ms).then(() => sent.destroy(new Error(`no answer in ${patience_ms} ms`)));
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

export interface Once {
  readonly status: number;
  readonly text: string;
  readonly etag: string;
  readonly retryAfter: string | undefined;
}

/**
 * Whether the request certainly took effect, or certainly did not. A conflict that says when to try again is not an
 * answer: an earlier attempt is still in progress.
 */
function isDefinite(status: number, retryAfter: string | undefined): boolean {
  if (status === 409) return retryAfter === undefined;
  return status !== 0 && status !== 429 && status < 500;
}
