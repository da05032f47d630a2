import type { IncomingHttpHeaders } from 'node:http';

import type { Logger } from 'pino';

import type { Acl, Caller } from '../access/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import type { OpenLine } from '../lines/index.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';

/** The dependencies of every request of a server. */
export interface Runtime {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Unique to this process. It distinguishes its unfinished work from that of a process that ended. */
  readonly instance: string;
}

/** The caller and its permissions. They are checked again while a stream is open. */
export interface Authority {
  readonly caller: Caller;
  readonly acl: Acl;
}

/** A request that passed all checks except those of the handler. */
export interface Request<
  Params = Readonly<Record<string, string>>,
  Query = Readonly<Record<string, unknown>>,
  Body = unknown,
> extends Authority {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly url: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  readonly traceId: string;
  readonly log: Logger;
  readonly runtime: Runtime;
  /** An object that was already read from the store for this request. */
  readonly found?: { readonly kind: Kind; readonly object: Resource };
  /** The client wants a stream of changes instead of one response. */
  readonly wantsEvents: boolean;
  /**
   * Aborts when the response is no longer needed: the client disconnected, the deadline passed, or the server stops.
   */
  readonly signal: AbortSignal;
  /**
   * An earlier run of this request may have taken effect: the process of that run died, or could not reach the store
   * for longer than its lease. Only requests with an `Idempotency-Key` run again.
   */
  readonly isRepeated?: boolean;
  /**
   * An id of something that the request makes: an object, or the saga that makes it. With an `Idempotency-Key` it is
   * the same in every run of the request, so a later run finds what an earlier one made.
   *
   * @example const id = request.newId('network');
   */
  readonly newId: (purpose: string) => string;
  /** Reports a part of the response that does not match its schema. Throws if the contract is enforced. */
  violates(violation: string): void;
  /** Throws if the request may be older than others that were answered. Only requests of clients can be. */
  assertTimely?(): void;
  /** Checks the credentials again. Throws when they are no longer valid. */
  reauthorize(): Promise<Authority>;
}

/** The part of a request that a decision about an object may depend on, for every operation. */
export type Asking = Pick<Request, 'acl' | 'caller' | 'params' | 'runtime'>;

/** One event of a stream. */
export interface ServerEvent {
  readonly event: 'added' | 'modified' | 'deleted' | 'synced' | 'bookmark' | 'reset';
  /** The position where a client that lost its connection resumes. */
  readonly id?: string;
  readonly data: unknown;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; a reply without one is empty. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The line that is opened instead of sending the body, if the client asks for a WebSocket. */
  readonly line?: OpenLine;
}

/** A response that is sent while it is read, so that it is never in memory as a whole. */
export interface StreamedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON, in pieces. The elements have already been validated. */
  readonly text: AsyncIterable<string>;
}

export type Answer = Reply | StreamedReply | { readonly events: AsyncIterable<ServerEvent> };

export function isStream(answer: Answer): answer is Extract<Answer, { events: unknown }> {
  return 'events' in answer;
}

export function isStreamedReply(answer: Answer): answer is StreamedReply {
  return 'text' in answer;
}
