import type { Principal } from '../access/index.ts';
import type { Method, Reply } from '../http/index.ts';
import type { Line } from '../lines/index.ts';

/** One request from one service to another. */
export interface ServiceCall {
  readonly method: Method;
  /** The declared path of the operation, such as `/api/v2/servers/{serverID}`. */
  readonly path: `/${string}`;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  /** Makes it safe to send a POST twice, if the operation accepts such a key. */
  readonly idempotencyKey?: string;
}

/** The principal that a service calls for. With `impersonate`, the service has no more rights than the principal. */
export interface OnBehalf {
  readonly principal: Principal;
  readonly impersonate: boolean;
}

/**
 * One event of a watch. First come the existing objects (`added`), then `synced`, then changes when they happen.
 * `restart` means that changes may have been missed: the complete list follows, again with `synced` at its end. An
 * object that was sent before and is not in that list no longer exists.
 */
export type CallEvent =
  | { readonly type: 'added' | 'modified'; readonly body: unknown; readonly position?: string }
  | { readonly type: 'deleted'; readonly id: string; readonly position?: string }
  | { readonly type: 'synced' | 'bookmark'; readonly position?: string }
  | { readonly type: 'restart' };

export interface WatchOptions {
  readonly signal: AbortSignal;
  /**
   * The `position` of an event of an earlier watch of the same call. The watch continues after it, or sends `restart`.
   */
  readonly from?: string;
}

/**
 * Calls another service, in the same process or over HTTP. Both throw the same `Problem` when the service refuses the
 * request. If the other service fails, or does not accept this service as a caller, the problem is `unavailable`: the
 * user's request did not cause it.
 */
export interface ServiceCalls {
  /** The called service, as messages name it. */
  readonly service: string;
  /**
   * Whether handlers of this process answer. The compiler has checked the types of their answers, so the answers are
   * not checked again.
   */
  readonly inProcess: boolean;
  call(onBehalf: OnBehalf, call: ServiceCall): Promise<Reply>;
  /**
   * Watches the objects that a streaming route shows. A broken connection is opened again and continues at the last
   * position, until the signal aborts. Only throws when the service refuses the request.
   */
  watch(onBehalf: OnBehalf, call: ServiceCall, options: WatchOptions): AsyncIterable<CallEvent>;
  /** Opens the line of a route. It is not opened again when it breaks. */
  open(onBehalf: OnBehalf, call: ServiceCall, signal: AbortSignal): Promise<Line>;
}
