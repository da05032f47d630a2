import createClient, { createFinalURL, createQuerySerializer, defaultPathSerializer, type Client } from 'openapi-fetch';
import type { PathsWithMethod } from 'openapi-typescript-helpers';

import { followed, type Change, type OnAlive, type OnInterruption } from './follow.ts';
import { replayable } from './generated/replayable.ts';
import type { Platform } from './platform.ts';
import { openTerminal, type TerminalConnection, type TerminalOptions } from './terminal.ts';
import type { TokenSource, Transport } from './transport.ts';

/** A service: typed operations by path, and streams of its resources. */
export interface Service<Paths extends object> extends Pick<
  Client<Paths, 'application/json'>,
  'GET' | 'POST' | 'PUT' | 'DELETE'
> {
  /**
   * Follows a list or one resource: the existing objects first, then every change.
   *
   * @example for await (const change of compute.follow('/api/v2/instances', { signal })) console.log(change);
   */
  follow<Path extends PathsWithMethod<Paths, 'get'> & string>(
    path: Path,
    options?: FollowOptions<ParametersOf<Paths[Path]>>,
  ): AsyncGenerator<Change<Observed<Paths[Path]>>, never>;
  /**
   * Opens the terminal of a machine. It connects again when the connection breaks.
   *
   * @example
   * const terminal = compute.terminal('/api/v2/instances/{instanceID}/terminal', { params: { path: { instanceID } }, onOutput: (bytes) => screen.write(bytes) });
   * terminal.send('uptime\r');
   */
  terminal<Path extends PathsWithMethod<Paths, 'get'> & `${string}/terminal`>(
    path: Path,
    options: TerminalOptions & { readonly params: ParametersOf<Paths[Path]> & Parameters },
  ): TerminalConnection;
  /** The same without types, for programs in which paths and bodies are data. */
  readonly untyped: Untyped;
}

export interface Untyped {
  send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: SendOptions,
  ): Promise<{ readonly data: unknown; readonly headers: Headers }>;
  follow(path: string, options?: FollowOptions): AsyncGenerator<Change<unknown>, never>;
}

interface Parameters {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

export interface RequestOptions<Params = unknown> {
  readonly params?: Params & Parameters;
  readonly signal?: AbortSignal;
}

export interface FollowOptions<Params = unknown> extends RequestOptions<Params> {
  readonly onInterruption?: OnInterruption;
  readonly onAlive?: OnAlive;
  /**
   * A position that `onAlive` was called with. The stream continues there; `reset` is its first event if it cannot.
   */
  readonly from?: string;
}

export interface SendOptions extends RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The idempotency key of a POST; a random key by default. The service treats POSTs with the same key as one request.
   */
  readonly key?: string;
}

type ParametersOf<Item> = Item extends { get: { parameters: infer Declared } }
  ? Pick<Declared, keyof Declared & keyof Parameters>
  : unknown;
type Answered<Item> = Item extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } }
  ? Body
  : never;
type Observed<Item> = Answered<Item> extends readonly (infer Element)[] ? Element : Answered<Item>;

export interface ServiceParts {
  readonly baseUrl: string;
  readonly send: Transport;
  readonly platform: Platform;
  readonly ending: AbortSignal | undefined;
  readonly token: TokenSource | undefined;
}

export function service<Paths extends object>({
  baseUrl,
  send,
  platform,
  ending,
  token,
}: ServiceParts): Service<Paths> {
  const client = createClient<Paths, 'application/json'>({ baseUrl, fetch: send });
  client.use({
    onRequest: ({ request, schemaPath }) => {
      if (!request.headers.has('idempotency-key'))
        for (const [name, value] of keyOf(request.method, schemaPath, platform)) request.headers.set(name, value);
      return request;
    },
  });
  const urlOf = (path: string, params: Parameters = {}) =>
    createFinalURL(path, {
      baseUrl,
      params,
      querySerializer: createQuerySerializer(),
      pathSerializer: defaultPathSerializer,
    });
  const follow = <Read>(
    path: string,
    { params, signal, ...following }: FollowOptions = {},
  ): AsyncGenerator<Change<Read>, never> => {
    const url = urlOf(path, params);
    const open = (lastEventId: string | undefined, connection: AbortSignal) =>
      send(
        new Request(url, {
          headers: {
            accept: 'text/event-stream',
            ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
          },
          signal: connection,
        }),
      );
    return followed(open, {
      ...following,
      platform,
      request: `GET ${url}`,
      signal: ending && signal ? AbortSignal.any([ending, signal]) : (signal ?? ending),
    });
  };
  const terminal: Service<Paths>['terminal'] = (path, { params, signal, ...options }) => {
    const url = urlOf(path, params);
    const stopping = ending && signal ? AbortSignal.any([ending, signal]) : (signal ?? ending);
    return openTerminal(
      {
        platform,
        token,
        url: url.replace(/^http/, 'ws'),
        probe: (connection) => send(new Request(url, { signal: connection })),
      },
      { ...options, ...(stopping ? { signal: stopping } : {}) },
    );
  };
  const sendUntyped: Untyped['send'] = async (method, path, { params, body, headers, signal, key } = {}) => {
    const written = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await send(
      new Request(urlOf(path, params), {
        method,
        ...written,
        headers: { ...type, ...Object.fromEntries(keyOf(method, path, platform, key)), ...headers },
        ...(signal ? { signal } : {}),
      }),
    );
    return { data: await bodyOf(response), headers: response.headers };
  };
  const { GET, POST, PUT, DELETE } = client;
  return { GET, POST, PUT, DELETE, follow, terminal, untyped: { send: sendUntyped, follow } };
}

/** Adds an idempotency key to a POST, if the service supports it, so that a retry is safe. */
function keyOf(method: string, path: string, { uuid }: Platform, key?: string): readonly (readonly [string, string])[] {
  return method === 'POST' && replayable.has(path) ? [['idempotency-key', key ?? uuid()]] : [];
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
}
type Success<Given extends Answer> = Extract<Given, { readonly error?: never }>;

/**
 * The data of a successful response. Refusals are thrown before.
 *
 * @example const instance = await dataOf(compute.GET('/api/v2/instances/{instanceID}', { params: { path: { instanceID } } }));
 */
export async function dataOf<Given extends Answer>(answer: Promise<Given>): Promise<Success<Given>['data']> {
  const given = await answer;
  if (!isSuccess(given)) throw new TypeError('a refusal was not thrown');
  return given.data;
}

function isSuccess<Given extends Answer>(given: Given): given is Success<Given> {
  return given.error === undefined;
}
