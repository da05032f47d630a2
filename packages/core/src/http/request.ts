import type { IncomingHttpHeaders } from 'node:http';

import type { Logger } from 'pino';

import type { Acl, Caller } from '../access/index.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';

/** What every request of a server runs on. */
export interface Runtime {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Unique to this process: tells its unfinished work from that of one that died. */
  readonly instance: string;
}

/** Who asks, and what they may do; asked again while a stream stays open. */
export interface Authority {
  readonly caller: Caller;
  readonly acl: Acl;
}

/** A request that passed every check that is not the handler's own. */
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
  /** The client wants changes as they happen rather than one answer. */
  readonly wantsEvents: boolean;
  /** Aborts when the answer is no longer needed: the client disconnected, the time is over, or the server stops. */
  readonly signal: AbortSignal;
  /** Reports a part of the answer that breaks its own declaration; fails where that is enforced. */
  violates(violation: string): void;
  /** Presents the credentials again; fails once they are no longer good. */
  reauthorize(): Promise<Authority>;
}

/** The part of a request on which a decision about an object may depend, whatever is asked of the object. */
export type Asking = Pick<Request, 'acl' | 'caller' | 'params' | 'runtime'>;

/** One event of a stream. */
export interface ServerEvent {
  readonly event: 'added' | 'modified' | 'deleted' | 'synced' | 'bookmark' | 'reset';
  /** Where a client that was cut off resumes. */
  readonly id?: string;
  readonly data: unknown;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; a reply without one is empty. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is written while it is read, so that it is never in memory as a whole. */
export interface StreamedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON, piece by piece. What a piece is made of has been checked against the declaration. */
  readonly text: AsyncIterable<string>;
}

export type Answer = Reply | StreamedReply | { readonly events: AsyncIterable<ServerEvent> };

export function isStream(answer: Answer): answer is Extract<Answer, { events: unknown }> {
  return 'events' in answer;
}

export function isStreamedReply(answer: Answer): answer is StreamedReply {
  return 'text' in answer;
}
