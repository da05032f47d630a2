/** An item of a heap. The heap stores the position in the item, so that the item can be removed from the middle. */
export interface HeapItem {
  position: number;
}

/** A heap with the smallest item first. Every operation is O(log n). An item is in one heap at a time. */
export class Heap<Item extends HeapItem> {
  readonly #items: Item[] = [];
  readonly #before: (a: Item, b: Item) => boolean;

  constructor(before: (a: Item, b: Item) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    this.#rise(item, this.#items.length);
  }

  pop(): Item | undefined {
    const first = this.#items[0];
    if (first) this.remove(first);
    return first;
  }

  remove(item: Item): void {
    const { position } = item;
    const last = this.#items.pop();
    if (!last || last === item) return;
    this.#rise(last, position);
    this.#sink(last);
  }

  /** Puts the item at the position or above it, and moves larger items down. */
  #rise(item: Item, position: number): void {
    let hole = position;
    while (hole > 0) {
      const up = (hole - 1) >> 1;
      const parent = this.#items[up];
      if (!parent || !this.#before(item, parent)) break;
      this.#place(parent, hole);
      hole = up;
    }
    this.#place(item, hole);
  }

  #sink(item: Item): void {
    let hole = item.position;
    for (;;) {
      const child = this.#smallerChild(hole);
      if (!child || !this.#before(child, item)) break;
      const next = child.position;
      this.#place(child, hole);
      hole = next;
    }
    this.#place(item, hole);
  }

  #smallerChild(position: number): Item | undefined {
    const left = this.#items[2 * position + 1];
    const right = this.#items[2 * position + 2];
    return left && right && this.#before(right, left) ? right : left;
  }

  #place(item: Item, position: number): void {
    this.#items[position] = item;
    item.position = position;
  }
}
