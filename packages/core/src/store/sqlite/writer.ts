import type { DatabaseSync } from 'node:sqlite';

import { Query } from './query.ts';
import { transaction } from './schema.ts';

/** One compare-and-swap. Plain data, because it crosses to the thread that writes. */
export interface Operation {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly kind: number;
  readonly name: string;
  /** The version an existing object must be at. */
  readonly expected: number;
  /** The object to store, or the last state of one that goes. */
  readonly data: string;
  readonly previous: string | null;
  readonly removedLabels: readonly LabelEntry[];
  readonly addedLabels: readonly LabelEntry[];
  readonly removedOwners: readonly string[];
  readonly addedOwners: readonly OwnerEntry[];
}

export type LabelEntry = readonly [position: number, value: string];
export type OwnerEntry = readonly [uid: string, blocking: 0 | 1];

/** Operations that share a commit, and up to which version the garbage collector has come by now. */
export interface Batch {
  readonly operations: readonly Operation[];
  readonly collected: number;
}

/** The version before the first change. Not zero, which means something of its own to Kubernetes. */
export const firstVersion = 1;

/** The version of an operation whose expectation did not hold. */
export const refused = 0;

/** Changes removed in one go: a few milliseconds, during which nothing is committed. */
const compactionStep = 1_000;

/** Applies batches to the tables. The only one that writes them. */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #history: number;
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #log;
  readonly #addLabel;
  readonly #removeLabel;
  readonly #addOwner;
  readonly #removeOwner;
  readonly #collect;
  readonly #forget;
  #head: number;
  #floor: number;
  #collected: number;

  /** `history`: how many changes are kept for watchers to resume from. */
  constructor(database: DatabaseSync, history: number) {
    this.#database = database;
    this.#history = Math.max(1, history);
    this.#insert = database.prepare('INSERT INTO objects (kind, name, version, data) VALUES (?, ?, ?, ?) ON CONFLICT (kind, name) DO NOTHING');
    this.#update = database.prepare('UPDATE objects SET version = ?, data = ? WHERE kind = ? AND name = ? AND version = ?');
    this.#delete = database.prepare('DELETE FROM objects WHERE kind = ? AND name = ? AND version = ?');
    this.#log = database.prepare('INSERT INTO changes (version, kind, type, data, previous) VALUES (?, ?, ?, ?, ?)');
    this.#addLabel = database.prepare('INSERT INTO labels (kind, position, value, name) VALUES (?, ?, ?, ?)');
    this.#removeLabel = database.prepare('DELETE FROM labels WHERE kind = ? AND position = ? AND value = ? AND name = ?');
    this.#addOwner = database.prepare('INSERT INTO owners (uid, kind, name, blocking) VALUES (?, ?, ?, ?)');
    this.#removeOwner = database.prepare('DELETE FROM owners WHERE uid = ? AND kind = ? AND name = ?');
    this.#collect = database.prepare('UPDATE progress SET collected = ?');
    this.#forget = database.prepare('DELETE FROM changes WHERE version <= ?');
    const range = new Query<[number | null, number | null]>(database, 'SELECT (SELECT min(version) - 1 FROM changes), (SELECT max(version) FROM changes)').get();
    this.#floor = range?.[0] ?? firstVersion;
    this.#head = range?.[1] ?? firstVersion;
    this.#collected = new Query<[number]>(database, 'SELECT collected FROM progress').get()?.[0] ?? firstVersion;
  }

  /**
   * Commits batches together and says which version each operation got; `refused` for one whose expectation did not hold,
   * which changes nothing. When it fails, nothing of any of them is stored.
   */
  commit(batches: readonly Batch[]): number[][] {
    const head = this.#head;
    try {
      return transaction(this.#database, () => batches.map((batch) => this.#applyBatch(batch)));
    } catch (error) {
      this.#head = head;
      throw error;
    }
  }

  /** Whether enough old changes have gathered for `compact` to be worth its while. */
  get compactable(): boolean {
    return this.#disposable - this.#floor >= Math.min(compactionStep, Math.ceil(this.#history / 10));
  }

  /** Forgets some of the oldest changes. Not synchronised: should it be lost, they are forgotten again. */
  compact(): void {
    const floor = Math.min(this.#floor + compactionStep, this.#disposable);
    this.#database.exec('PRAGMA synchronous = NORMAL');
    try {
      this.#forget.run(floor);
      this.#floor = floor;
    } finally {
      this.#database.exec('PRAGMA synchronous = FULL');
    }
  }

  /** The newest version that neither watchers nor the garbage collector need. */
  get #disposable(): number {
    return Math.min(this.#head - this.#history, this.#collected);
  }

  #applyBatch({ operations, collected }: Batch): number[] {
    if (collected > this.#collected) {
      this.#collect.run(collected);
      this.#collected = collected;
    }
    return operations.map((operation) => this.#apply(operation));
  }

  #apply(operation: Operation): number {
    const version = this.#head + 1;
    if (!this.#swap(operation, version)) return refused;
    this.#head = version;
    const { kind, name, type, data, previous } = operation;
    for (const [position, value] of operation.removedLabels) this.#removeLabel.run(kind, position, value, name);
    for (const [position, value] of operation.addedLabels) this.#addLabel.run(kind, position, value, name);
    for (const uid of operation.removedOwners) this.#removeOwner.run(uid, kind, name);
    for (const [uid, blocking] of operation.addedOwners) this.#addOwner.run(uid, kind, name, blocking);
    this.#log.run(version, kind, type, data, previous);
    return version;
  }

  #swap({ type, kind, name, expected, data }: Operation, version: number): boolean {
    switch (type) {
      case 'added':
        return this.#insert.run(kind, name, version, data).changes === 1;
      case 'modified':
        return this.#update.run(version, data, kind, name, expected).changes === 1;
      case 'deleted':
        return this.#delete.run(kind, name, expected).changes === 1;
    }
  }
}
