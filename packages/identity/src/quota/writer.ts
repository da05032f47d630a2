import { isProblem, Problem, toError } from '@unikorn/core/errors';
import { ownedBy } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { Organization } from '../kinds/organization.ts';
import { QuotaLedger } from '../kinds/quota.ts';
import { Books } from './books.ts';

/** Changes stored with one write; what comes meanwhile goes into the next. */
const changesPerWrite = 512;

/** Decides on the books as they are now; it may be asked again when another process was faster. */
type Edit<T> = (books: Books) => T;

interface Job {
  /** Looks at what the edit also depends on, after the ledger was read. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Tries the edit, and says what to tell its author once the books are stored. */
  readonly attempt: (books: Books) => () => void;
  readonly fail: (error: Error) => void;
}

/**
 * Writes ledgers. Edits of one organization that arrive while a write is under way are stored together by the next one,
 * so that contention within a process costs little; between processes, whoever loses the race decides again.
 */
export class LedgerWriter {
  readonly #store: Store;
  readonly #written: (changes: number) => void;
  readonly #lanes = new Map<string, Job[]>();

  constructor(store: Store, written: (changes: number) => void) {
    this.#store = store;
    this.#written = written;
  }

  /**
   * Resolves once the edit is stored; fails with what it throws, which then changes nothing. What `prepare` looks at,
   * and nobody changes without writing the ledger, is still so when the edit is stored.
   */
  apply<T>(organizationId: string, edit: Edit<T>, prepare?: () => Promise<void>): Promise<T> {
    return new Promise((resolve, reject) => {
      const attempt = (books: Books): (() => void) => {
        try {
          const result = edit(books);
          return () => {
            resolve(result);
          };
        } catch (error) {
          return () => {
            reject(toError(error));
          };
        }
      };
      this.#enqueue(organizationId, { prepare, attempt, fail: reject });
    });
  }

  #enqueue(organizationId: string, job: Job): void {
    const lane = this.#lanes.get(organizationId);
    if (lane) {
      lane.push(job);
      return;
    }
    const started = [job];
    this.#lanes.set(organizationId, started);
    void this.#workOff(organizationId, started);
  }

  async #workOff(organizationId: string, lane: Job[]): Promise<void> {
    while (lane.length > 0) {
      const jobs = lane.splice(0, changesPerWrite);
      await this.#write(organizationId, jobs).catch((error: unknown) => {
        for (const { fail } of jobs) fail(toError(error));
      });
    }
    this.#lanes.delete(organizationId);
  }

  async #write(organizationId: string, jobs: readonly Job[]): Promise<void> {
    while (true) {
      const ledger = await readOrCreate(this.#store, organizationId);
      await Promise.all(jobs.flatMap(({ prepare }) => (prepare ? [prepare()] : [])));
      const books = new Books(ledger);
      const answers = jobs.map(({ attempt }) => attempt(books));
      const { status } = books;
      if (status && !(await this.#swap(ledger, status))) continue;
      this.#written(jobs.length);
      for (const answer of answers) answer();
      return;
    }
  }

  async #swap(
    { metadata: { name, resourceVersion } }: QuotaLedger,
    status: NonNullable<QuotaLedger['status']>,
  ): Promise<boolean> {
    try {
      await this.#store.updateStatus(QuotaLedger, { metadata: { name, resourceVersion }, status });
      return true;
    } catch (error) {
      if (isProblem(error, 'conflict') || isProblem(error, 'not_found')) return false;
      throw error;
    }
  }
}

/** An organization's ledger. It comes into being when it is first needed, and goes with its organization. */
export async function readOrCreate(store: Store, organizationId: string): Promise<QuotaLedger> {
  while (true) {
    const existing = await store.get(QuotaLedger, organizationId);
    if (existing) return existing;
    const organization = await store.get(Organization, organizationId);
    if (!organization) throw new Problem('not_found', `organization ${organizationId} does not exist`);
    try {
      return await store.create(QuotaLedger, {
        metadata: { name: organizationId, ownerReferences: [ownedBy(organization)] },
        spec: { limits: {} },
      });
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
    }
  }
}
