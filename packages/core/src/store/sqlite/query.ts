import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A prepared statement whose rows are tuples of a type that the SQL beside it guarantees. */
export class Query<Row extends readonly unknown[]> {
  readonly #statement: StatementSync;

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
  }

  get(...parameters: SQLInputValue[]): Row | undefined;
  get(...parameters: SQLInputValue[]): unknown {
    return this.#statement.get(...parameters);
  }

  /** Row by row, for callers that may stop before the last one. */
  each(...parameters: SQLInputValue[]): Iterable<Row>;
  each(...parameters: SQLInputValue[]): Iterable<unknown> {
    return this.#statement.iterate(...parameters);
  }

  all(...parameters: SQLInputValue[]): Row[];
  all(...parameters: SQLInputValue[]): unknown[] {
    return this.#statement.all(...parameters);
  }

  /** Row by row, for callers that may stop before the last one. */
  iterate(...parameters: SQLInputValue[]): Iterable<Row>;
  iterate(...parameters: SQLInputValue[]): Iterable<unknown> {
    return this.#statement.iterate(...parameters);
  }
}
