import type { DatabaseSync } from 'node:sqlite';

import { internalLimits, limits } from '../../limits.ts';
import { systemWorld } from '../../world/index.ts';
import { digestOf } from './digest.ts';
import { Query } from './query.ts';
import { firstVersion, headQuery, loggedBytes, transaction } from './schema.ts';

/** One compare-and-swap. It is plain data, because it is sent to the writing thread. */
export interface Operation {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly kind: number;
  readonly name: string;
  /** The version that an existing object must have. */
  readonly expected: number;
  /** The object to store, or the last state of a removed object. */
  readonly data: string;
  readonly previous: string | null;
  readonly removedLabels: readonly LabelEntry[];
  readonly addedLabels: readonly LabelEntry[];
  readonly removedOwners: readonly string[];
  readonly addedOwners: readonly OwnerEntry[];
}

export type LabelEntry = readonly [position: number, value: string];
export type OwnerEntry = readonly [uid: string, blocking: 0 | 1];

/** Operations that share a commit, and the version up to which the garbage collector is complete. */
export interface Batch {
  readonly operations: readonly Operation[];
  readonly collected: number;
}

/** The version of a refused operation, whose expected version did not match. */
export const refused = 0;

/** How many changes are kept for watchers that resume: the limit that is reached first counts. */
export interface Retention {
  readonly changes: number;
  readonly bytes: number;
}

export const usualRetention: Retention = { changes: limits.retainedChanges, bytes: limits.retainedChangesBytes };

/** The progress of the state. */
interface Progress {
  /** The version of the last change. */
  readonly head: number;
  /** The version up to which the garbage collector has processed the changes. */
  readonly collected: number;
  /** Total length of the stored changes. */
  readonly logged: number;
}

/** Applies batches to the tables. No other code writes them. */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #retention: Retention;
  readonly #now: () => number;
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #log;
  readonly #addLabel;
  readonly #removeLabel;
  readonly #addOwner;
  readonly #removeOwner;
  readonly #note;
  readonly #oldest;
  readonly #forget;
  readonly #pages;
  readonly #tryWriting;
  readonly #clearProbes;
  #progress: Progress;
  #floor: number;

  constructor(
    database: DatabaseSync,
    { changes, bytes }: Retention = usualRetention,
    now: () => number = () => systemWorld.now(),
  ) {
    this.#database = database;
    this.#now = now;
    this.#retention = { changes: Math.max(1, changes), bytes };
    this.#insert = database.prepare(
      'INSERT INTO objects (kind, name, version, data, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, name) DO NOTHING',
    );
    this.#update = database.prepare(
      'UPDATE objects SET version = ?, data = ?, digest = ? WHERE kind = ? AND name = ? AND version = ?',
    );
    this.#delete = database.prepare('DELETE FROM objects WHERE kind = ? AND name = ? AND version = ?');
    this.#log = database.prepare('INSERT INTO changes (version, kind, type, data, previous) VALUES (?, ?, ?, ?, ?)');
    this.#addLabel = database.prepare('INSERT INTO labels (kind, position, value, name) VALUES (?, ?, ?, ?)');
    this.#removeLabel = database.prepare(
      'DELETE FROM labels WHERE kind = ? AND position = ? AND value = ? AND name = ?',
    );
    this.#addOwner = database.prepare('INSERT INTO owners (uid, kind, name, blocking) VALUES (?, ?, ?, ?)');
    this.#removeOwner = database.prepare('DELETE FROM owners WHERE uid = ? AND kind = ? AND name = ?');
    this.#note = database.prepare('UPDATE progress SET collected = ?, logged = ?, committed_ms = ?');
    this.#oldest = new Query<[version: number, bytes: number]>(
      database,
      `SELECT version, ${loggedBytes} FROM changes WHERE version <= ? ORDER BY version LIMIT +?`,
    );
    this.#forget = database.prepare('DELETE FROM changes WHERE version <= ?');
    this.#tryWriting = database.prepare(`INSERT INTO probes VALUES (zeroblob(${internalLimits.probeBytes}))`);
    this.#clearProbes = database.prepare('DELETE FROM probes');
    this.#pages = new Query<[unused: number, pages: number]>(
      database,
      'SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count',
    );
    const [head = firstVersion] = new Query<[number]>(database, headQuery).get() ?? [];
    const [oldest] = new Query<[number | null]>(database, 'SELECT min(version) FROM changes').get() ?? [];
    const [collected = firstVersion, logged = 0] =
      new Query<[number, number]>(database, 'SELECT collected, logged FROM progress').get() ?? [];
    this.#floor = oldest ? oldest - 1 : head;
    this.#progress = { head, collected, logged };
  }

  /**
   * Commits batches together and returns the version of each operation, or `refused` for one whose expected version did
   * not match and that changed nothing. If the commit fails, nothing is stored.
   */
  commit(batches: readonly Batch[]): number[][] {
    const before = this.#progress;
    try {
      return transaction(this.#database, () => {
        const versions = batches.map((batch) => this.#applyBatch(batch));
        this.#noteProgress(before);
        return versions;
      });
    } catch (error) {
      this.#progress = before;
      throw error;
    }
  }

  /** The version of the last change. */
  get head(): number {
    return this.#progress.head;
  }

  /**
   * Fails as storing an object would, and leaves nothing behind. It allocates new space, because rewriting existing
   * pages also succeeds on a full disk.
   */
  probe(): void {
    this.#clearProbes.run();
    this.#tryWriting.run();
    this.#unsynchronised(() => {
      this.#clearProbes.run();
    });
  }

  /** Whether there are enough old changes for `compact` to be useful. */
  get compactable(): boolean {
    const { changes, bytes } = this.#retention;
    const tooMany = this.#disposable - this.#floor >= Math.min(internalLimits.compactionStep, Math.ceil(changes / 10));
    return tooMany || (this.#progress.logged > bytes * 1.125 && this.#unneeded > this.#floor);
  }

  /** Removes some of the oldest changes. It is not synchronised: if it is lost, they are removed again. */
  compact(): void {
    const { floor, logged } = this.#excess();
    this.#unsynchronised(() => {
      transaction(this.#database, () => {
        this.#forget.run(floor);
        this.#note.run(this.#progress.collected, logged, this.#now());
      });
    });
    this.#floor = floor;
    this.#progress = { ...this.#progress, logged };
  }

  /** Whether so much of the file is unused that it should be returned. The rest is reused by later writes. */
  get shrinkable(): boolean {
    const [unused = 0, pages = 0] = this.#pages.get() ?? [];
    return unused > Math.max(internalLimits.sparePages, pages / 4);
  }

  /** Returns some unused pages to the file system. */
  shrink(): void {
    this.#unsynchronised(() => {
      this.#database.exec(`PRAGMA incremental_vacuum(${internalLimits.shrinkingStep})`);
    });
  }

  /**
   * The oldest changes that exceed the limits, up to a step of them: their last version, and the length of the
   * remaining changes.
   */
  #excess(): { readonly floor: number; readonly logged: number } {
    let floor: number | undefined;
    let { logged } = this.#progress;
    for (const [version, bytes] of this.#oldest.each(this.#unneeded, internalLimits.compactionStep)) {
      if (version > this.#disposable && logged <= this.#retention.bytes) break;
      floor = version;
      logged -= bytes;
    }
    return { floor: floor ?? this.#unneeded, logged };
  }

  /**
   * For work that does not have to survive a power loss, because it would be repeated. Acknowledged data must never be
   * written like this.
   */
  #unsynchronised(work: () => void): void {
    this.#database.exec('PRAGMA synchronous = NORMAL');
    try {
      work();
    } finally {
      this.#database.exec('PRAGMA synchronous = FULL');
    }
  }

  /** The newest version that watchers and the garbage collector do not need any more. */
  get #disposable(): number {
    return Math.min(this.#progress.head - this.#retention.changes, this.#progress.collected);
  }

  /**
   * The newest version that can be removed when there is too much history. The last change stays, because it holds the
   * current version.
   */
  get #unneeded(): number {
    return Math.min(this.#progress.head - 1, this.#progress.collected);
  }

  #noteProgress(before: Progress): void {
    const { collected, logged } = this.#progress;
    if (collected !== before.collected || logged !== before.logged) this.#note.run(collected, logged, this.#now());
  }

  #applyBatch({ operations, collected }: Batch): number[] {
    if (collected > this.#progress.collected) this.#progress = { ...this.#progress, collected };
    return operations.map((operation) => this.#apply(operation));
  }

  #apply(operation: Operation): number {
    const version = this.#progress.head + 1;
    if (!this.#swap(operation, version)) return refused;
    const { kind, name, type, data, previous } = operation;
    for (const [position, value] of operation.removedLabels) this.#removeLabel.run(kind, position, value, name);
    for (const [position, value] of operation.addedLabels) this.#addLabel.run(kind, position, value, name);
    for (const uid of operation.removedOwners) this.#removeOwner.run(uid, kind, name);
    for (const [uid, blocking] of operation.addedOwners) this.#addOwner.run(uid, kind, name, blocking);
    this.#log.run(version, kind, type, data, previous);
    const bytes = Buffer.byteLength(data) + (previous === null ? 0 : Buffer.byteLength(previous));
    this.#progress = { ...this.#progress, head: version, logged: this.#progress.logged + bytes };
    return version;
  }

  #swap({ type, kind, name, expected, data }: Operation, version: number): boolean {
    switch (type) {
      case 'added':
        return this.#insert.run(kind, name, version, data, digestOf(data)).changes === 1;
      case 'modified':
        return this.#update.run(version, data, digestOf(data), kind, name, expected).changes === 1;
      case 'deleted':
        return this.#delete.run(kind, name, expected).changes === 1;
    }
  }
}
