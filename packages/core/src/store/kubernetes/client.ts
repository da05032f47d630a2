import type { buildConnector, Pool } from 'undici';

import { isProblem, type Problem } from '../../errors/index.ts';
import { internalLimits, limits, waits } from '../../limits.ts';
import type { World } from '../../world/index.ts';
import type { StoreAccess } from './access.ts';
import { closedProblem, UnknownOutcome, unreachable } from './failure.ts';
import { shortPause_ms } from './pauses.ts';

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly accept?: string;
}

/** A request that was answered, for measurements. The answer of a watch has no end, so its size is not known. */
export interface ClusterCall {
  readonly method: ClusterRequest['method'] | 'WATCH';
  readonly path: string;
  readonly sentLength: number;
  readonly receivedLength: number;
}

export interface Answer {
  readonly status: number;
  /** Parsed if it is JSON, text otherwise. */
  readonly body: unknown;
  /** The length of its text. */
  readonly length: number;
}

export interface AnswerStream {
  readonly status: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

interface RawAnswer extends Answer {
  readonly retryAfter_s: number | undefined;
}

/**
 * Watches last for minutes, and each occupies a connection. They must not delay requests. Other requests must not delay
 * leases: under load a leader would lose its lease, the next one would begin with all objects, and that is more load.
 */
interface Pools {
  readonly calls: Pool;
  readonly leases: Pool;
  readonly streams: Pool;
}

const leasesPath = '/apis/coordination.k8s.io/';

/**
 * A small client of a Kubernetes API server. It repeats a request that certainly had no effect, within the deadline of
 * a store operation. A write whose effect is not known fails with `UnknownOutcome`.
 */
export class ClusterClient {
  readonly #world: World;
  readonly #access: StoreAccess;
  readonly #base: string;
  readonly #observe: ((call: ClusterCall) => void) | undefined;
  readonly #closed = new AbortController();
  #pools: Promise<Pools> | undefined;
  #refusal: Problem | undefined;

  constructor(world: World, access: StoreAccess, observe?: (call: ClusterCall) => void) {
    this.#observe = observe;
    this.#world = world;
    this.#access = access;
    this.#base = access.server.pathname.replace(/\/$/, '');
  }

  async send(request: ClusterRequest): Promise<Answer> {
    const until_ms = this.#world.monotonic_ms() + limits.callTimeout_ms;
    for (let failures = 0; ; failures++) {
      const left_ms = until_ms - this.#world.monotonic_ms();
      const outcome = await this.#attempt(request, Math.min(left_ms, waits.kubernetesAttempt_ms));
      if (outcome.type === 'answer') return outcome.answer;
      if (this.#closed.signal.aborted) throw closedProblem();
      if (outcome.type === 'unknown') throw new UnknownOutcome('no answer to a write', { cause: outcome.cause });
      const pause_ms = outcome.pause_ms ?? shortPause_ms(failures, this.#world.random());
      if (this.#world.monotonic_ms() + pause_ms >= until_ms) throw unreachable(outcome.cause);
      await this.#world.sleep(pause_ms, this.#closed.signal);
    }
  }

  /** Repeats a write whose effect is not known, until an answer tells. `settle` decides what the answer means then. */
  async settle<T>(write: () => Promise<T>, settle: (thrown: unknown) => Promise<T>): Promise<T> {
    const until_ms = this.#world.monotonic_ms() + limits.callTimeout_ms;
    for (let failures = 0; ; failures++) {
      try {
        return await write();
      } catch (thrown) {
        if (!(thrown instanceof UnknownOutcome)) {
          if (failures === 0) throw thrown;
          return settle(thrown);
        }
        const pause_ms = shortPause_ms(failures, this.#world.random());
        if (this.#world.monotonic_ms() + pause_ms >= until_ms) throw unreachable(thrown);
        await this.#world.sleep(pause_ms, this.#closed.signal);
      }
    }
  }

  /** Resolves with the status of a response that lasts. Its chunks fail if nothing arrives for too long. */
  async stream(path: string, signal: AbortSignal): Promise<AnswerStream> {
    if (this.#refusal) throw this.#refusal;
    const end = new AbortController();
    const abort = () => {
      end.abort();
    };
    const both = AbortSignal.any([signal, this.#closed.signal]);
    both.addEventListener('abort', abort, { once: true });
    if (both.aborted) abort();
    const cancel = this.#world.after(waits.kubernetesAttempt_ms, abort);
    try {
      const { streams } = await this.#opened();
      const { statusCode, body } = await streams.request({
        method: 'GET',
        path: this.#base + path,
        headers: { accept: 'application/json', ...(await this.#access.headers()) },
        signal: end.signal,
      });
      this.#observe?.({ method: 'WATCH', path, sentLength: 0, receivedLength: 0 });
      const over = () => {
        both.removeEventListener('abort', abort);
        abort();
        // The response is cut on purpose, and nothing reads its error.
        body.on('error', () => undefined).destroy();
      };
      return { status: statusCode, chunks: whileAlive(body.iterator(), { world: this.#world, silent: abort, over }) };
    } catch (cause) {
      both.removeEventListener('abort', abort);
      throw unreachable(cause);
    } finally {
      cancel();
    }
  }

  /** Makes every later request fail with this problem. */
  condemn(problem: Problem): void {
    this.#refusal = problem;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const pools = await this.#pools;
    await Promise.all([pools?.calls.destroy(), pools?.leases.destroy(), pools?.streams.destroy()]);
  }

  async #attempt(request: ClusterRequest, timeout_ms: number): Promise<Outcome> {
    try {
      const { retryAfter_s, ...answer } = await this.#once(request, timeout_ms);
      return judged(request, answer, retryAfter_s);
    } catch (cause) {
      if (isProblem(cause)) throw cause;
      return request.method === 'GET' || wasNotSent(cause) ? { type: 'repeat', cause } : { type: 'unknown', cause };
    }
  }

  async #once({ method, path, body, accept }: ClusterRequest, timeout_ms: number): Promise<RawAnswer> {
    if (this.#closed.signal.aborted) throw closedProblem();
    if (this.#refusal) throw this.#refusal;
    const headers = {
      accept: accept ?? 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(await this.#access.headers()),
    };
    const { calls, leases } = await this.#opened();
    const late = new AbortController();
    const cancel = this.#world.after(timeout_ms, () => {
      late.abort(new Error(`no answer within ${timeout_ms} ms`));
    });
    try {
      const answer = await (path.startsWith(leasesPath) ? leases : calls).request({
        method,
        path: this.#base + path,
        headers,
        body: body ?? null,
        signal: late.signal,
      });
      const text = await answer.body.text();
      this.#observe?.({ method, path, sentLength: body?.length ?? 0, receivedLength: text.length });
      return {
        status: answer.statusCode,
        body: parsed(text, answer.headers['content-type']),
        length: text.length,
        retryAfter_s: secondsOf(answer.headers['retry-after']),
      };
    } finally {
      cancel();
    }
  }

  #opened(): Promise<Pools> {
    return (this.#pools ??= this.#open());
  }

  async #open(): Promise<Pools> {
    // undici is loaded here because it takes 30 MB, and only this engine and calls of other services need it.
    const { buildConnector, Pool } = await import('undici');
    const connectorOf = (tls: ReturnType<StoreAccess['tls']>) =>
      buildConnector({
        ...tls,
        allowH2: false,
        timeout: waits.kubernetesAttempt_ms,
        // A watch only receives, so a dead connection is noticed by probes. The system sends ten, one per second.
        keepAlive: true,
        keepAliveInitialDelay: waits.kubernetesKeepAlive_ms,
      });
    let tls = this.#access.tls();
    let connector = connectorOf(tls);
    // A new connection uses the present authority. Connections that are open stay open.
    const connect: buildConnector.connector = (options, callback) => {
      if (tls !== this.#access.tls()) {
        tls = this.#access.tls();
        connector = connectorOf(tls);
      }
      connector(options, callback);
    };
    const common = {
      allowH2: false,
      // All times come from the world.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect,
    } as const;
    const { origin } = this.#access.server;
    return {
      calls: new Pool(origin, { ...common, connections: internalLimits.kubernetesConnections }),
      leases: new Pool(origin, { ...common, connections: internalLimits.kubernetesLeaseConnections }),
      streams: new Pool(origin, common),
    };
  }
}

type Outcome =
  | { readonly type: 'answer'; readonly answer: Answer }
  /** It had no effect, or it is a read. */
  | { readonly type: 'repeat'; readonly cause: unknown; readonly pause_ms?: number }
  | { readonly type: 'unknown'; readonly cause: unknown };

/** The API server answers 429 and 503 before it does anything. After another error of it, a write may have happened. */
function judged({ method }: ClusterRequest, answer: Answer, retryAfter_s: number | undefined): Outcome {
  const { status } = answer;
  if (status !== 429 && status < 500) return { type: 'answer', answer };
  const cause = new Error(`the API server answered ${status}: ${JSON.stringify(answer.body).slice(0, 500)}`);
  if (status === 429 || status === 503)
    return {
      type: 'repeat',
      cause,
      ...(retryAfter_s === undefined ? {} : { pause_ms: retryAfter_s * 1000 }),
    };
  return method === 'GET' ? { type: 'repeat', cause } : { type: 'unknown', cause };
}

const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH']);

/** Whether the connection failed before the request could be sent. */
function wasNotSent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && notSent.has(cause.code);
}

function parsed(text: string, type: string | string[] | undefined): unknown {
  if (typeof type !== 'string' || !type.startsWith('application/json')) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('the API server sent broken JSON', { cause });
  }
}

function secondsOf(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,4}$/.test(header) ? Number(header) : undefined;
}

/** Passes chunks on, and calls `silent` when the next one does not arrive in time. */
async function* whileAlive(
  chunks: AsyncIterableIterator<unknown>,
  { world, silent, over }: { readonly world: World; readonly silent: () => void; readonly over: () => void },
): AsyncGenerator<Uint8Array> {
  try {
    while (true) {
      const cancel = world.after(waits.kubernetesSilence_ms, silent);
      const next = await chunks.next().finally(cancel);
      if (next.done === true) return;
      if (next.value instanceof Uint8Array) yield next.value;
    }
  } finally {
    over();
  }
}
