import type { Principal } from '../access/index.ts';
import type { Method, Reply } from '../http/index.ts';

/** One operation, as one service asks it of another. */
export interface ServiceCall {
  readonly method: Method;
  /** As the operation is declared, such as `/api/v2/servers/{serverID}`. */
  readonly path: `/${string}`;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  /** Makes a POST safe to send twice, where the operation takes such a key. */
  readonly idempotencyKey?: string;
}

/** For whom a service asks; impersonating, with no more rights than they have themselves. */
export interface OnBehalf {
  readonly principal: Principal;
  readonly impersonate: boolean;
}

/**
 * One event of a watch. First come the objects that there are (`added`), then `synced`, then changes as they happen.
 * `restart` says that changes may have been missed: the complete list follows, again with `synced` at its end. An
 * object that was told before and is not in that list is gone.
 */
export type CallEvent =
  | { readonly type: 'added' | 'modified'; readonly body: unknown; readonly position?: string }
  | { readonly type: 'deleted'; readonly id: string; readonly position?: string }
  | { readonly type: 'synced' | 'bookmark'; readonly position?: string }
  | { readonly type: 'restart' };

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** The `position` of an event of an earlier watch of the same call. The watch goes on after it, or says `restart`. */
  readonly from?: string;
}

/**
 * How a service asks another, in the same process or over HTTP. A refusal is thrown as the same `Problem` either way.
 * That the other service failed, or did not let this one in, is `unavailable`: it is not the fault of the user who
 * waits.
 */
export interface ServiceCalls {
  /** The service that answers, as messages name it. */
  readonly service: string;
  /**
   * Whether handlers of this process answer. The compiler has checked the types of their answers, so the answers are
   * not checked again.
   */
  readonly inProcess: boolean;
  call(onBehalf: OnBehalf, call: ServiceCall): Promise<Reply>;
  /**
   * Watches what a route that streams shows. A connection that breaks is opened again, where it was, until the signal
   * aborts. Throws only what the service refuses.
   */
  watch(onBehalf: OnBehalf, call: ServiceCall, options: WatchOptions): AsyncIterable<CallEvent>;
}
