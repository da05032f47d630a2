/** Closes a provider that is not used any more, after the calls that are in progress have ended. */
export class Retirement {
  readonly #close: () => Promise<void>;
  #calls = 0;
  #isRetired = false;

  constructor(close: () => Promise<void>) {
    this.#close = close;
  }

  /** Counts a call. The returned function ends it. */
  begin(): () => void {
    this.#calls += 1;
    return () => {
      this.#calls -= 1;
      this.#closeIfUnused();
    };
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    const end = this.begin();
    try {
      return await call();
    } finally {
      end();
    }
  }

  /** A caller that still holds the provider may use it after that. Its connections are closed again after the call. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (!this.#isRetired || this.#calls > 0) return;
    // If it cannot be closed, there is nothing left to do: its connections end when they are idle.
    this.#close().catch(() => undefined);
  }
}
