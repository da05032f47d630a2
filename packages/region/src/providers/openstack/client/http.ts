import type { Readable } from 'node:stream';

import type * as library from 'undici';

import { defined } from '@unikorn/core/defined';
import type { World } from '@unikorn/core/world';

import type { CloudAccess } from './access.ts';
import { limits } from './limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is for data that does not fit into memory. It cannot be sent twice. */
  readonly body?: string | Readable;
  readonly deadline_ms: number;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Why there was no answer. After `unreachable` and `untrusted` the request was certainly not carried out. After
 * `timeout`, `broken` and `too_large` it may have been.
 */
export type Silence = 'unreachable' | 'untrusted' | 'timeout' | 'broken' | 'too_large';

/** There was no answer, or no complete one. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly silence: Silence;

  constructor(silence: Silence, message: string, options?: ErrorOptions) {
    super(message, options);
    this.silence = silence;
  }
}

/** Connections to the services of one cloud. They are kept, and bounded for each service. */
export interface Http {
  /** One attempt. Fails with `NoAnswer` only. */
  send(request: HttpRequest): Promise<HttpReply>;
  /** Closes all connections after the requests in progress. A later request opens new ones. */
  close(): Promise<void>;
}

export function openHttp(world: World, { tls }: Pick<CloudAccess, 'tls'>): Http {
  let opened: Promise<library.Agent> | undefined;
  const agent = () => (opened ??= openAgent(tls));

  async function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const dispatcher = await agent();
    const { statusCode, headers, body } = await dispatcher.request({
      origin: request.url.origin,
      path: `${request.url.pathname}${request.url.search}`,
      method: request.method,
      headers: { ...request.headers },
      ...defined({ body: request.body }),
      signal,
    });
    return { status: statusCode, headers: flat(headers), text: await body.text() };
  }

  return {
    async send(request) {
      const late = new AbortController();
      const cancel = world.after(request.deadline_ms, () => {
        late.abort();
      });
      try {
        return await exchange(request, late.signal);
      } catch (cause) {
        if (late.signal.aborted)
          throw new NoAnswer('timeout', `there was no answer within ${request.deadline_ms} ms`, { cause });
        throw noAnswer(cause);
      } finally {
        cancel();
      }
    },
    async close() {
      const closing = opened;
      opened = undefined;
      await (await closing)?.close();
    },
  };
}

/** Loaded with the first call: the library takes 30 MB, and many processes have no such region. */
async function openAgent({ verify, authority }: CloudAccess['tls']): Promise<library.Agent> {
  const [undici, { rootCertificates }] = await Promise.all([import('undici'), import('node:tls')]);
  return new undici.Agent({
    allowH2: false,
    connections: limits.connections,
    // The deadline of each request ends it; it follows the clock of the world.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: limits.answerBytes,
    connect: {
      rejectUnauthorized: verify,
      // Node replaces its own authorities by the given ones.
      ...(authority === undefined ? {} : { ca: [...rootCertificates, authority] }),
    },
  });
}

/** The error codes of Node and undici when no connection was made. */
const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** The error codes of Node when the certificate of the server is not trusted. */
const untrusted = /CERT|SIGNATURE|ALTNAME/;

function noAnswer(cause: unknown): NoAnswer {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  return new NoAnswer(silenceOf(code), code === '' ? message : `${code}: ${message}`, { cause });
}

function silenceOf(code: string): Silence {
  if (unreachable.test(code)) return 'unreachable';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'too_large';
  return untrusted.test(code) ? 'untrusted' : 'broken';
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
