/** The functions that the SDK needs from its platform; the same in Node and in browsers. */
export interface Platform {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Rejects with the reason of the signal if that aborts first. */
  readonly sleep: (duration_ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back once after the delay, unless the returned function is called before. */
  readonly after: (delay_ms: number, callback: () => void) => () => void;
  readonly uuid: () => string;
  readonly socket: (url: string, protocols: string[]) => WebSocket;
}

export const platform: Platform = {
  fetch: (request) => fetch(request),
  sleep: (duration_ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(reasonOf(signal));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, duration_ms);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    }),
  after: (delay_ms, callback) => {
    const timer = setTimeout(callback, delay_ms);
    return () => {
      clearTimeout(timer);
    };
  },
  uuid: () => crypto.randomUUID(),
  socket: (url, protocols) => new WebSocket(url, protocols),
};

/** The reason of an aborted signal, as an error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('the operation was aborted');
}
