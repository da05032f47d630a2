/**
 * Bytes that arrive faster or slower than they are read. `full` is called when more than `most` bytes wait, and `room`
 * when they have been read.
 */
export class Pieces implements AsyncIterable<Uint8Array> {
  readonly #flow: Flow;
  readonly #waiting: Uint8Array[] = [];
  #size = 0;
  #isOver = false;
  #reason: Error | undefined;
  #wake = () => {};

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** The number of bytes that wait for the reader. */
  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    if (this.#isOver) return;
    this.#waiting.push(piece);
    this.#size += piece.length;
    if (this.#size > this.#flow.most) this.#flow.full();
    this.#wake();
  }

  /** The reader still gets the bytes that wait, and then the reason as an error, if there is one. */
  end(reason?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    while (true) {
      const piece = this.#waiting.shift();
      if (piece) {
        this.#size -= piece.length;
        if (this.#waiting.length === 0) this.#flow.room();
        yield piece;
      } else if (this.#isOver) {
        if (this.#reason) throw this.#reason;
        return;
      } else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

export interface Flow {
  readonly most: number;
  readonly full: () => void;
  readonly room: () => void;
}
