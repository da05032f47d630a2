/** The clock, timers and network of the browser. Nothing else in the pages uses them directly. */
export const platform = {
  now: (): number => Date.now(),
  uuid: (): string => crypto.randomUUID(),
  fetch: (input: string, init?: RequestInit): Promise<Response> => fetch(input, init),
  /** Calls back once after the delay, unless the returned function is called before. */
  after: (delay_ms: number, callback: () => void): (() => void) => {
    const timer = setTimeout(callback, delay_ms);
    return () => {
      clearTimeout(timer);
    };
  },
  every: (period_ms: number, callback: () => void): (() => void) => {
    const timer = setInterval(callback, period_ms);
    return () => {
      clearInterval(timer);
    };
  },
} as const;

export type BrowserPlatform = typeof platform;
