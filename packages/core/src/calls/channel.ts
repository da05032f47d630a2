import type { buildConnector, Pool } from 'undici';

import { backoff_ms } from '../backoff.ts';
import { defined } from '../defined.ts';
import type { Method } from '../http/index.ts';
import { internalLimits, limits, waits } from '../limits.ts';
import { dialled, lineProtocol, type Line } from '../lines/index.ts';
import { ensureTenure, TenureLost } from '../tenure.ts';
import type { World } from '../world/index.ts';
import { retryAfterOf } from './refusal.ts';

/** A certificate, its key, and the certificate authority that the other side must have; all in PEM. */
export interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
  readonly authority?: string;
}

export interface ChannelOptions {
  /** Such as `https://identity.unikorn.svc`, or with a path where services share a host. */
  readonly baseUrl: string;
  readonly world: World;
  /**
   * The client certificate of this service, its key, and the certificate authority that it trusts; all in PEM. A
   * function is asked before each new connection, so that changed certificates are used without a restart.
   */
  readonly tls?: TlsIdentity | (() => TlsIdentity);
  /** Sent with every request, for example for a proxy in between. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a response may take, retries included. */
  readonly deadline_ms?: number;
  readonly answerBytes?: number;
}

export interface ChannelRequest {
  readonly method: Method;
  /** Path and query, below the address of the service. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the request may be sent again after a failure that does not tell whether it took effect. */
  readonly repeatable: boolean;
}

export interface ChannelAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A response whose body is read as a stream. */
export interface ChannelStream extends Omit<ChannelAnswer, 'text'> {
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A request for a line. */
export interface ChannelLine extends Pick<ChannelRequest, 'path' | 'headers'> {
  /** The error of a refusal, from its status and body. */
  readonly problemOf: (status: number, text: string) => Error;
}

/**
 * HTTP connections to one service. Requests fail only when there is no response at all, or with `TenureLost` when they
 * must not be sent.
 */
export interface HttpChannel {
  send(request: ChannelRequest): Promise<ChannelAnswer>;
  /**
   * Resolves with the status and headers of the response. The chunks fail when the server sends nothing for too long.
   */
  stream(request: Omit<ChannelRequest, 'body' | 'repeatable'>, signal: AbortSignal): Promise<ChannelStream>;
  /** Opens a line over a WebSocket. */
  open(request: ChannelLine, signal: AbortSignal): Promise<Line>;
  /** Closes the connections once all requests in progress are answered. Streams are cut. */
  close(): Promise<void>;
}

/** Each stream occupies a connection, so streams have their own pool. */
interface Pools {
  readonly calls: Pool;
  readonly streams: Pool;
}

/** A stream that misses three heartbeats is dead. */
const silence_ms = 3 * waits.heartbeat_ms + 1_000;

/**
 * Opens an HTTP channel to a service. It keeps connections open and limits their number, and the time and size of a
 * response.
 *
 * @example const channel = httpChannel({ baseUrl: 'https://identity.unikorn.svc', world, tls: { certificate, key, authority } });
 */
export function httpChannel(options: ChannelOptions): HttpChannel {
  const { baseUrl, world, tls, headers: always = {} } = options;
  const { deadline_ms = limits.callTimeout_ms, answerBytes = limits.callAnswerBytes } = options;
  const { origin, pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/$/, '');
  const common = {
    allowH2: false,
    connections: limits.callConnections,
    // All times come from the world: the deadline below ends requests that take too long.
    headersTimeout: 0,
    bodyTimeout: 0,
  } as const;
  let opened: Promise<Pools> | undefined;
  const pools = () => (opened ??= openPools());
  // undici is loaded with the first request: it takes 30 MB, and a process that runs all services never needs it.
  async function openPools(): Promise<Pools> {
    const undici = await import('undici');
    const connect = currentConnector(undici.buildConnector, tls);
    return {
      calls: new undici.Pool(origin, { ...common, connect, maxResponseSize: answerBytes }),
      streams: new undici.Pool(origin, { ...common, connect }),
    };
  }

  const requestOf = ({ method, path, headers }: Omit<ChannelRequest, 'repeatable'>) => ({
    method,
    path: `${base}${path}`,
    headers: { ...always, ...headers },
  });

  async function once(request: ChannelRequest, left_ms: number): Promise<ChannelAnswer> {
    const deadline = new AbortController();
    const cancel = world.after(left_ms, () => {
      deadline.abort(new Error(`no response within ${deadline_ms} ms`));
    });
    try {
      const { calls } = await pools();
      if (request.method !== 'GET') ensureTenure();
      const { statusCode, headers, body } = await calls.request({
        ...requestOf(request),
        ...defined({ body: request.body }),
        signal: deadline.signal,
      });
      return { status: statusCode, headers: flat(headers), text: await body.text() };
    } finally {
      cancel();
    }
  }

  return {
    async send(request) {
      const until_ms = world.monotonic_ms() + deadline_ms;
      const left_ms = () => until_ms - world.monotonic_ms();
      for (let failures = 0; ; failures++) {
        const mayRepeat = request.repeatable && failures < internalLimits.callRepetitions;
        let pause_ms: number;
        try {
          const answer = await once(request, left_ms());
          const retryAfter_s = answer.status === 503 ? retryAfterOf(answer.headers) : undefined;
          if (retryAfter_s === undefined || !mayRepeat || retryAfter_s * 1000 >= left_ms()) return answer;
          pause_ms = retryAfter_s * 1000;
        } catch (error) {
          pause_ms = backoff_ms(failures, world.random());
          if (!mayRepeat || isTooLarge(error) || error instanceof TenureLost || pause_ms >= left_ms()) throw error;
        }
        await world.sleep(pause_ms);
      }
    },

    async stream(request, signal) {
      const end = new AbortController();
      const abort = () => {
        end.abort(signal.reason);
      };
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      const silent = () => {
        end.abort(new Error('the stream sent nothing for too long'));
      };
      const cancel = world.after(deadline_ms, silent);
      try {
        const { streams } = await pools();
        const { statusCode, headers, body } = await streams.request({ ...requestOf(request), signal: end.signal });
        const over = () => {
          signal.removeEventListener('abort', abort);
          body.destroy();
        };
        return {
          status: statusCode,
          headers: flat(headers),
          chunks: whileAlive(body.iterator(), { world, silent, over }),
        };
      } catch (error) {
        signal.removeEventListener('abort', abort);
        throw error;
      } finally {
        cancel();
      }
    },

    open({ path, headers, problemOf }, signal) {
      const identity = typeof tls === 'function' ? tls() : tls;
      return dialled(
        {
          url: `${origin.replace(/^http/, 'ws')}${base}${path}`,
          protocols: [lineProtocol],
          headers: { ...always, ...headers },
          ...(identity ? { tls: tlsOf(identity) } : {}),
          world,
          deadline_ms,
          speaks: 'frames',
          refusalOf: ({ status, text }) => problemOf(status, text),
          endOf: ({ status, error, error_description }) =>
            problemOf(status, JSON.stringify({ error, error_description })),
        },
        signal,
      );
    },

    async close() {
      const open = await opened;
      await Promise.all([open?.calls.close(), open?.streams.destroy()]);
    },
  };
}

function tlsOf({ certificate, key, authority }: TlsIdentity) {
  return { minVersion: 'TLSv1.3', cert: certificate, key, ...defined({ ca: authority }) } as const;
}

/** Connects with the present certificate. Open connections keep the one that they began with. */
function currentConnector(build: typeof buildConnector, tls: ChannelOptions['tls']): buildConnector.connector {
  let used: TlsIdentity | undefined;
  let connector: buildConnector.connector | undefined;
  return (options, callback) => {
    const identity = typeof tls === 'function' ? tls() : tls;
    if (!connector || identity !== used) {
      used = identity;
      connector = build(identity ? tlsOf(identity) : { minVersion: 'TLSv1.3' });
    }
    connector(options, callback);
  };
}

/** Passes chunks on, and calls `silent` when the next one does not arrive in time. */
async function* whileAlive(
  chunks: AsyncIterableIterator<unknown>,
  { world, silent, over }: { readonly world: World; readonly silent: () => void; readonly over: () => void },
): AsyncGenerator<Uint8Array> {
  try {
    while (true) {
      const cancel = world.after(silence_ms, silent);
      const next = await chunks.next().finally(cancel);
      if (next.done === true) return;
      if (next.value instanceof Uint8Array) yield next.value;
    }
  } finally {
    over();
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
