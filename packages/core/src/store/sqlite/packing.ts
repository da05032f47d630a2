import type { Batch, LabelEntry, Operation, OwnerEntry } from './writer.ts';

type Word = string | number | null;

/** Batches as one flat list. Sending structured objects to another thread takes several times as long. */
export type Packed = readonly Word[];

export function packed(batches: readonly Batch[]): Packed {
  const words: Word[] = [];
  for (const { operations, collected } of batches) {
    words.push(collected, operations.length);
    for (const operation of operations) {
      words.push(
        types.indexOf(operation.type),
        operation.kind,
        operation.name,
        operation.expected,
        operation.data,
        operation.previous,
      );
      packPairs(words, operation.removedLabels);
      packPairs(words, operation.addedLabels);
      words.push(operation.removedOwners.length, ...operation.removedOwners);
      packPairs(words, operation.addedOwners);
    }
  }
  return words;
}

function packPairs(words: Word[], pairs: readonly (LabelEntry | OwnerEntry)[]): void {
  words.push(pairs.length);
  for (const [first, second] of pairs) words.push(first, second);
}

export function unpacked(words: Packed): Batch[] {
  const take = new Taker(words);
  const label = (): LabelEntry => [take.number(), take.text()];
  const owner = (): OwnerEntry => [take.text(), take.number() === 1 ? 1 : 0];
  const operation = (): Operation => ({
    type: typeOf(take.number()),
    kind: take.number(),
    name: take.text(),
    expected: take.number(),
    data: take.text(),
    previous: take.textOrNull(),
    removedLabels: take.list(label),
    addedLabels: take.list(label),
    removedOwners: take.list(() => take.text()),
    addedOwners: take.list(owner),
  });
  const batches: Batch[] = [];
  while (take.more) batches.push({ collected: take.number(), operations: take.list(operation) });
  return batches;
}

const types: readonly Operation['type'][] = ['added', 'modified', 'deleted'];

function typeOf(index: number): Operation['type'] {
  return types[index] ?? garbled('type', index);
}

/** Reads one value after the other, with the type that it was packed with. */
class Taker {
  readonly #words: Packed;
  #at = 0;

  constructor(words: Packed) {
    this.#words = words;
  }

  get more(): boolean {
    return this.#at < this.#words.length;
  }

  number(): number {
    const word = this.#words[this.#at++];
    return typeof word === 'number' ? word : garbled('number', word);
  }

  text(): string {
    return this.textOrNull() ?? garbled('text', null);
  }

  textOrNull(): string | null {
    const word = this.#words[this.#at++];
    return typeof word === 'string' || word === null ? word : garbled('text', word);
  }

  list<T>(take: () => T): T[] {
    return Array.from({ length: this.number() }, take);
  }
}

function garbled(wanted: string, found: Word | undefined): never {
  throw new Error(`the packed batches are invalid: expected a ${wanted}, found a ${typeof found}`);
}
