import { limits } from '../../limits.ts';

/** What to show of some output. */
export interface Shown {
  readonly bytes: Uint8Array;
  /** The console sent its text anew, and it is not the text that is already shown. */
  readonly begunAnew: boolean;
}

const nothing: Shown = { bytes: new Uint8Array(), begunAnew: false };

/**
 * The text of a console, over all connections to it. Each connection begins with the text that the console still has.
 * If that is what is already shown, it is not shown a second time.
 */
export class Transcript {
  readonly #limit: number;
  #kept: Uint8Array = new Uint8Array();
  /** Everything of the present connection fits into what is kept. */
  #whole = true;
  /** The beginning of a new connection, while it is the same as what is kept. */
  #repeated: number | undefined;

  constructor(limit = limits.terminalBytes) {
    this.#limit = limit;
  }

  /** Everything that was shown, or the last part of it. */
  get text(): Uint8Array {
    return this.#kept;
  }

  /** A connection begins. */
  opened(): void {
    this.#repeated = 0;
  }

  output(bytes: Uint8Array): Shown {
    if (this.#repeated === undefined) return this.#show(bytes, false);
    const at = this.#repeated;
    if (!this.#whole) {
      this.#repeated = undefined;
      return this.#anew(bytes, this.#kept.length > 0);
    }
    const common = Math.min(bytes.length, this.#kept.length - at);
    if (!isSame(bytes.subarray(0, common), this.#kept.subarray(at, at + common))) {
      this.#repeated = undefined;
      return this.#anew(joined(this.#kept.subarray(0, at), bytes), true);
    }
    this.#repeated = at + common;
    if (common === bytes.length) return nothing;
    this.#repeated = undefined;
    return this.#show(bytes.subarray(common), false);
  }

  #anew(bytes: Uint8Array, begunAnew: boolean): Shown {
    this.#kept = new Uint8Array();
    this.#whole = true;
    return this.#show(bytes, begunAnew);
  }

  #show(bytes: Uint8Array, begunAnew: boolean): Shown {
    const all = joined(this.#kept, bytes);
    this.#whole &&= all.length <= this.#limit;
    this.#kept = all.length > this.#limit ? all.slice(-this.#limit) : all;
    return { bytes, begunAnew };
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
