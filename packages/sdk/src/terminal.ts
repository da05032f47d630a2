import { ApiError, ConnectionError, isPutOff } from './errors.ts';
import { waits } from './limits.ts';
import { reasonOf, type Platform } from './platform.ts';
import type { TokenSource } from './transport.ts';

/** The state of a terminal. Each time it opens, it begins with the text that the console still has. */
export type TerminalState =
  | { readonly type: 'connecting' }
  | { readonly type: 'open' }
  | { readonly type: 'interrupted'; readonly error: Error; readonly retryAfter_ms: number };

export interface TerminalOptions {
  /** Output of the machine. */
  readonly onOutput: (bytes: Uint8Array) => void;
  readonly onState?: (state: TerminalState) => void;
  readonly signal?: AbortSignal;
}

/** An open terminal. It connects again by itself. */
export interface TerminalConnection {
  /** Sends input. Returns false if it was not sent, because the terminal is not open or the machine is too slow. */
  readonly send: (input: string | Uint8Array) => boolean;
  readonly close: () => void;
  /**
   * Resolves when the terminal is closed, or when the machine ended it. Rejects with the error when the service refuses
   * it for good.
   */
  readonly ended: Promise<void>;
}

export interface Terminals {
  readonly platform: Pick<Platform, 'socket' | 'sleep' | 'after'>;
  readonly token: TokenSource | undefined;
  readonly url: string;
  /** Asks for the reason why a WebSocket was refused, which a browser does not tell. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
}

const protocol = 'terminal.unikorn-cloud.org';
const bearerProtocol = 'base64url.bearer.unikorn-cloud.org.';
/** More input waits for the network than a user can type. */
const bufferedBytes = 256 * 1024;
/** Smaller than the largest frame that a service takes. */
const frameBytes = 32 * 1024;

export function openTerminal(terminals: Terminals, options: TerminalOptions): TerminalConnection {
  const stop = new AbortController();
  const close = () => {
    stop.abort();
  };
  options.signal?.addEventListener('abort', close);
  if (options.signal?.aborted) close();
  const current: { socket?: WebSocket; isOpen: boolean } = { isOpen: false };
  const ended = (async () => {
    try {
      await keptOpen(terminals, options, current, stop.signal);
    } finally {
      options.signal?.removeEventListener('abort', close);
    }
    if (options.signal?.aborted) throw reasonOf(options.signal);
  })();
  return {
    close,
    ended,
    send: (input) => {
      const { socket, isOpen } = current;
      if (!socket || !isOpen || socket.bufferedAmount > bufferedBytes) return false;
      const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : new Uint8Array(input);
      for (let start = 0; start < bytes.length; start += frameBytes)
        socket.send(bytes.slice(start, start + frameBytes));
      return true;
    },
  };
}

/** Connects again and again, until the terminal ends or is refused. */
async function keptOpen(
  terminals: Terminals,
  { onOutput, onState }: TerminalOptions,
  current: { socket?: WebSocket; isOpen: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { platform, token, probe } = terminals;
  const isStopped = () => signal.aborted;
  let failures = 0;
  let refused: string | undefined;
  while (!isStopped()) {
    onState?.({ type: 'connecting' });
    const bearer = typeof token === 'function' ? await token(refused === undefined ? undefined : { refused }) : token;
    const isNewToken = bearer !== refused;
    const outcome = await connection(terminals, bearer, signal, (socket, heard) => {
      current.socket = socket;
      if (heard === 'open') {
        current.isOpen = true;
        failures = 0;
        refused = undefined;
        onState?.({ type: 'open' });
      } else if (heard !== undefined) onOutput(heard);
    });
    current.isOpen = false;
    if (outcome.type === 'over' || isStopped()) return;
    let { error } = outcome;
    try {
      if (!outcome.isExplained && !outcome.wasOpen) await probe(signal);
    } catch (reason) {
      if (isStopped()) return;
      error = reason instanceof Error ? reason : error;
    }
    if (error instanceof ApiError && error.status === 401 && typeof token === 'function' && isNewToken) {
      refused = bearer;
      continue;
    }
    if (error instanceof ApiError && error.status < 500 && !(isPutOff(error) && outcome.wasOpen)) throw error;
    const retryAfter_ms = Math.min(waits.firstReconnect_ms * 2 ** failures, waits.longestReconnect_ms);
    failures += 1;
    onState?.({ type: 'interrupted', error, retryAfter_ms });
    try {
      await platform.sleep(retryAfter_ms, signal);
    } catch {
      return;
    }
  }
}

type Outcome =
  | { readonly type: 'over' }
  | {
      readonly type: 'broken';
      readonly error: Error;
      readonly wasOpen: boolean;
      /** Whether the service said why. */
      readonly isExplained: boolean;
    };

/** One connection, until it closes. */
function connection(
  { platform, url }: Terminals,
  bearer: string | undefined,
  signal: AbortSignal,
  hear: (socket: WebSocket, heard?: 'open' | Uint8Array) => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = platform.socket(url, [
      protocol,
      ...(bearer === undefined ? [] : [`${bearerProtocol}${base64url(bearer)}`]),
    ]);
    socket.binaryType = 'arraybuffer';
    hear(socket);
    let reason: Error | undefined;
    let wasOpen = false;
    let cancel = () => {};
    const request = `GET ${url}`;
    const silent = () => {
      finish({
        type: 'broken',
        error: new ConnectionError(request, new Error(`nothing was received for ${waits.silence_ms / 1000} seconds`)),
        wasOpen,
        isExplained: wasOpen,
      });
      socket.close();
    };
    const listen = () => {
      cancel();
      cancel = platform.after(waits.silence_ms, silent);
    };
    const abort = () => {
      finish({ type: 'over' });
      socket.close(1000);
    };
    const finish = (outcome: Outcome) => {
      cancel();
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    signal.addEventListener('abort', abort);
    listen();
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      listen();
      if (data instanceof ArrayBuffer) {
        hear(socket, new Uint8Array(data));
        return;
      }
      const frame = frameOf(data);
      if (frame?.['type'] === 'open') {
        wasOpen = true;
        hear(socket, 'open');
      }
      if (frame?.['type'] === 'end') reason = errorIn(frame, request);
    });
    socket.addEventListener('close', ({ code, reason: words }) => {
      if (code === 1000 && !reason) finish({ type: 'over' });
      else
        finish({
          type: 'broken',
          error: reason ?? new ConnectionError(request, new Error(words || `the connection was closed (${code})`)),
          wasOpen,
          isExplained: reason !== undefined,
        });
    });
  });
}

function base64url(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function frameOf(data: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function errorIn(frame: Readonly<Record<string, unknown>>, request: string): ApiError {
  const text = (name: string) => (typeof frame[name] === 'string' ? frame[name] : undefined);
  return new ApiError({
    status: typeof frame['status'] === 'number' ? frame['status'] : 500,
    code: text('error') ?? 'server_error',
    message: text('error_description') ?? 'the terminal was closed',
    traceId: text('trace_id'),
    body: frame,
    request,
  });
}
