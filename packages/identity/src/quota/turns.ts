/** Runs the work of one key in order, one at a time. Work of different keys does not wait. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const own = before ? before.then(work, work) : work();
    this.#last.set(key, own);
    const leave = () => {
      if (this.#last.get(key) === own) this.#last.delete(key);
    };
    own.then(leave, leave);
    return own;
  }
}
