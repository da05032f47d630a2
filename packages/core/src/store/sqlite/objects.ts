import { toError } from '../../errors/index.ts';
import type { Kind, OwnerReference, Resource } from '../../kinds/index.ts';
import { atVersion, decode } from '../encoding.ts';
import type { FeedChange } from '../feed.ts';
import type { Transition } from '../transition.ts';
import { closedProblem } from './failure.ts';
import { operationOf, type KindEntry } from './operation.ts';
import type { WriterPort } from './port.ts';
import type { Reader } from './reader.ts';
import { RecentObjects } from './recent.ts';
import { refused, type Operation } from './writer.ts';

interface Waiting {
  readonly operation: Operation;
  readonly committed: (version: number) => void;
  readonly failed: (error: unknown) => void;
}

interface ObjectsOptions {
  readonly kinds: readonly Kind[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly reader: Reader;
  readonly port: WriterPort;
  /** The version up to which the garbage collector is complete; stored with every batch. */
  readonly collected: () => number;
  /** Called in order of version, before the writer gets its result. */
  readonly announce: (kind: Kind, change: FeedChange) => void;
}

/** The stored objects: reads one, or swaps one for another. Swaps that are requested together share a commit. */
export class Objects {
  readonly #options: ObjectsOptions;
  readonly #entries: ReadonlyMap<string, KindEntry>;
  readonly #byNumber: ReadonlyMap<number, KindEntry>;
  readonly #byName: ReadonlyMap<string, KindEntry>;
  readonly #recent = new RecentObjects();
  #waiting: Waiting[] = [];
  #closed = false;
  readonly #flushes = new Set<Promise<void>>();

  constructor(options: ObjectsOptions) {
    this.#options = options;
    const entries = options.kinds.map((kind) => ({ kind, number: options.numbers.get(kind.id) ?? 0 }));
    this.#entries = new Map(entries.map((entry) => [entry.kind.id, entry]));
    this.#byNumber = new Map(entries.map((entry) => [entry.number, entry]));
    this.#byName = new Map(entries.map((entry) => [`${entry.kind.group}/${entry.kind.kind}`, entry]));
  }

  entry(kind: Kind): KindEntry {
    this.#assertOpen();
    const entry = this.#entries.get(kind.id);
    if (!entry) throw new Error(`kind ${kind.id} is not one of the kinds that this store was opened with`);
    return entry;
  }

  numbered(number: number): KindEntry | undefined {
    return this.#byNumber.get(number);
  }

  /** The kind with this name, in any version. */
  owning({ apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>): KindEntry | undefined {
    const group = apiVersion.slice(0, apiVersion.lastIndexOf('/'));
    return this.#byName.get(`${group}/${kind}`);
  }

  read({ number }: KindEntry, name: string): Resource | undefined {
    const recent = this.#recent.get(number, name);
    if (recent) return recent.object;
    const row = this.#options.reader.get(number, name);
    const object = row && decode(row[2], row[1]);
    this.#recent.keep(number, name, object, row?.[2].length);
    return object;
  }

  /** Stores the new state of an object; undefined if the object has changed since the decision. */
  swap(
    entry: KindEntry,
    previous: Resource | undefined,
    next: Exclude<Transition, { type: 'unchanged' }>,
  ): Promise<Resource | undefined> {
    this.#assertOpen();
    const operation = operationOf(entry, previous, next);
    const { kind, name } = operation;
    this.#recent.writeBegins(kind, name);
    return new Promise((resolve, reject) => {
      const failed = (error: unknown) => {
        this.#recent.writeFailed(kind, name);
        reject(toError(error));
      };
      const committed = (version: number) => {
        if (version === refused) {
          this.#recent.writeFailed(kind, name);
          resolve(undefined);
          return;
        }
        const object = atVersion(next.type === 'removed' ? (previous ?? next.object) : next.object, version);
        if (next.type === 'removed') this.#recent.written(kind, name, undefined);
        else this.#recent.written(kind, name, object, operation.data.length);
        this.#options.announce(entry.kind, {
          version,
          type: operation.type,
          object,
          previous: operation.previous === null ? undefined : previous,
          bytes: operation.data.length + (operation.previous?.length ?? 0),
        });
        resolve(next.type === 'removed' ? atVersion(next.object, version) : object);
      };
      this.#submit({ operation, committed, failed });
    });
  }

  /** Accepts no new operations, and resolves when all accepted ones are complete. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#waiting.length > 0) await Promise.resolve();
    await Promise.all(this.#flushes);
  }

  #assertOpen(): void {
    if (this.#closed) throw closedProblem();
  }

  #submit(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (this.#waiting.length === 1)
      queueMicrotask(() => {
        this.#flush();
      });
  }

  #flush(): void {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    const settled = this.#carryOut(batch).finally(() => this.#flushes.delete(settled));
    this.#flushes.add(settled);
  }

  async #carryOut(batch: readonly Waiting[]): Promise<void> {
    try {
      const versions = await this.#options.port.commit({
        operations: batch.map(({ operation }) => operation),
        collected: this.#options.collected(),
      });
      for (const [index, { committed }] of batch.entries()) committed(versions[index] ?? refused);
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }
}
