/**
 * The streams of all tabs of a browser. Each holds a connection, and a browser has only six of them for a
 * server, so the
 * tabs share a few places: locks that the browser gives back when a tab is closed.
 */
export type TakePlace = (signal: AbortSignal) => Promise<() => void>;

/** Resolves when one of the places is free, with the function that gives it back. */
export function streamPlaces(locks: Pick<LockManager, 'request'>, places: number): TakePlace {
  return (signal) =>
    new Promise((resolve) => {
      const others = new AbortController();
      const waiting = AbortSignal.any([signal, others.signal]);
      const hold = () => {
        if (waiting.aborted) return undefined;
        others.abort();
        return new Promise<void>((giveBack) => {
          resolve(giveBack);
        });
      };
      for (let place = 1; place <= places; place += 1)
        // It is rejected when another place was free first, or when none is needed any more.
        void locks.request(`unikorn-stream-${place}`, { signal: waiting }, hold).catch(() => undefined);
    });
}
