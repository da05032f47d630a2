import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

import type * as library from 'undici';

import { defined } from '../defined.ts';
import { isPublicAddress, lookupAllowed } from './public-address.ts';

/**
 * The supported parts of a request. Redirects are returned and not followed, because the new address would need the
 * same check.
 */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GuardOptions {
  /** Decides which addresses may be connected to; only public ones by default. */
  readonly allows?: (address: string) => boolean;
  readonly answerBytes: number;
  /** Handling of a response that is too large: it is refused by default, or cut if only its beginning is needed. */
  readonly larger?: 'refused' | 'cut';
  /** TLS options that differ from the default, such as a client certificate or a private authority. */
  readonly tls?: Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized' | 'servername'>;
}

/**
 * A fetch for URLs that users provide. It never connects to an address that is not public, so it cannot reach our own
 * systems.
 *
 * @example const fetchFor = guardedFetch({ answerBytes: 1024 * 1024 });
 */
export function guardedFetch({
  allows = isPublicAddress,
  answerBytes,
  larger = 'refused',
  tls = {},
}: GuardOptions): (url: string, request: GuardedRequest) => Promise<Response> {
  let agent: library.Agent | undefined;
  const limit = larger === 'refused' ? { maxResponseSize: answerBytes } : {};
  return async (url, { method, headers, body, signal }) => {
    checkLiteral(url, allows);
    // undici is loaded with the first request: it takes 30 MB, and many servers never fetch anything.
    const undici = await import('undici');
    const dispatcher = (agent ??= guardedAgent(undici, { allows, tls, ...limit }));
    try {
      const answer = await undici.request(url, {
        dispatcher,
        method,
        headers: { ...headers },
        ...defined({ body, signal }),
      });
      return await responseOf(answer, larger === 'refused' ? undefined : answerBytes);
    } catch (error) {
      if (!(error instanceof undici.errors.ResponseExceededMaxSizeError)) throw error;
      throw new Error(`the response is larger than ${answerBytes} bytes`, { cause: error });
    }
  };
}

type Undici = typeof library;
type Connector = ReturnType<Undici['buildConnector']>;

/** Refuses a URL whose host is an address that is not allowed. There is no DNS look-up that would check it. */
export function checkLiteral(url: string, allows: (address: string) => boolean): void {
  const literal = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !allows(literal)) throw new Error(`${literal} is not a permitted address`);
}

/** Connections to allowed addresses only. */
export function guardedAgent(
  undici: Undici,
  {
    allows,
    tls = {},
    ...limit
  }: Required<Pick<GuardOptions, 'allows'>> & Pick<GuardOptions, 'tls'> & { readonly maxResponseSize?: number },
): library.Agent {
  const lookup = lookupAllowed(allows);
  return new undici.Agent({
    allowH2: false,
    // One connection for each request, so that the address is checked each time.
    pipelining: 0,
    connect: telling(undici.buildConnector({ allowH2: false, lookup, maxCachedSessions: 0, ...tls })),
    ...limit,
  });
}

/**
 * A server that refuses a certificate sends an alert and then closes the connection. The first error is the useful one.
 */
function telling(connect: Connector): Connector {
  return (options, callback) => {
    connect(options, (...made) => {
      const [, socket] = made;
      socket?.once('error', (reason: Error) => socket.destroy(reason));
      callback(...made);
    });
  };
}

const withoutBody = new Set([204, 205, 304]);

async function responseOf(
  { statusCode: status, headers, body }: library.Dispatcher.ResponseData,
  cutAt: number | undefined,
): Promise<Response> {
  const content = cutAt === undefined ? await body.bytes() : await beginningOf(body, cutAt);
  const fields = Object.entries(headers).flatMap(([name, values = []]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, string] => [name, value]),
  );
  return new Response(withoutBody.has(status) ? null : Buffer.from(content), { status, headers: fields });
}

/** Leaving the loop closes the connection, so that the rest is not transferred. */
async function beginningOf(body: AsyncIterable<unknown>, bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}
