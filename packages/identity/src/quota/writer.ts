import { isProblem, Problem, toError } from '@unikorn/core/errors';
import { ownedBy } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { Organization } from '../kinds/organization.ts';
import { QuotaLedger } from '../kinds/quota.ts';
import { limits } from '../limits.ts';
import { Books } from './books.ts';

/** Decides on the current ledger. It may be called again if another process was faster. */
type Edit<T> = (books: Books) => T;

interface Job {
  /** Reads other data that the edit depends on, after the ledger was read. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Tries the edit, and returns the result for its caller, to be delivered after the ledger is stored. */
  readonly attempt: (books: Books) => () => void;
  readonly fail: (error: Error) => void;
}

/**
 * Writes ledgers. Edits of one organization that arrive during a write are stored together with the next one, so
 * contention within a process is cheap. Between processes, the one that loses the race decides again.
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
   * Resolves when the edit is stored. If the edit throws, it changes nothing and the error is passed on. Data that
   * `prepare` reads, and that only changes with a write of the ledger, is still valid when the edit is stored.
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
      const jobs = lane.splice(0, limits.quotaChangesPerWrite);
      await this.#write(organizationId, jobs).catch((error: unknown) => {
        for (const { fail } of jobs) fail(toError(error));
      });
    }
    this.#lanes.delete(organizationId);
  }

  async #write(organizationId: string, jobs: readonly Job[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      // The ledger is written as a compare-and-swap, so the first attempt may use the copy in this process. If there is
      // nothing to write, nothing proves that the copy is current.
      const copied = attempt === 1 ? await this.#store.get(QuotaLedger, organizationId, { cached: true }) : undefined;
      const ledger = copied ?? (await readOrCreate(this.#store, organizationId));
      await Promise.all(jobs.flatMap(({ prepare }) => (prepare ? [prepare()] : [])));
      const books = new Books(ledger);
      const answers = jobs.map(({ attempt }) => attempt(books));
      const { status } = books;
      if (status ? !(await this.#swap(ledger, status)) : copied && !this.#store.sole) continue;
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

/** The ledger of an organization. It is created at the first use, and deleted with its organization. */
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
