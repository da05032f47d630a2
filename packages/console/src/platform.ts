/** The clock, timers and network of the browser. Nothing else in the pages uses them directly. */
export const platform = {
  now: (): number => Date.now(),
  uuid: (): string => crypto.randomUUID(),
  fetch: (input: string | Request, init?: RequestInit): Promise<Response> => fetch(input, init),
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
  /** Calls back before the browser draws the next time. */
  frame: (callback: () => void): void => {
    requestAnimationFrame(callback);
  },
  /** Lets the browser draw, and answer the user, before the work goes on. A timer would wait for longer. */
  pause: (): Promise<void> =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    }),
  /** The value that allows a style element under the security policy of this page. */
  nonce: (): string => document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '',
  /** The SHA-256 digest of bytes. */
  digest: async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
} as const;

export type BrowserPlatform = typeof platform;
