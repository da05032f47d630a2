import { whenAborted, type ControllerContext, type Runnable, type WatchCache } from '@unikorn/core/controller';
import { toError } from '@unikorn/core/errors';

import { QuotaLedger } from '../kinds/quota.ts';
import { waits } from '../limits.ts';
import type { Ledger } from './ledger.ts';
import { closestToLimit, measureUsage } from './usage.ts';

/**
 * Ends the unfinished changes of dead processes, and recounts one ledger after another, so that errors are corrected.
 * It also measures how much of the quotas is used.
 */
export class LedgerSweeper implements Runnable {
  readonly name = 'quota-ledgers';
  readonly #ledger: Ledger;
  readonly #context: ControllerContext;
  readonly #ledgers: WatchCache<typeof QuotaLedger>;
  readonly #unfinished;

  constructor(ledger: Ledger, context: ControllerContext) {
    this.#ledger = ledger;
    this.#context = context;
    this.#ledgers = context.caches.of(QuotaLedger);
    this.#unfinished = this.#ledgers.index(({ status }) => (status?.pending?.length ? ['unfinished'] : []));
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#ledgers.whenSynced(), whenAborted(signal)]);
    let counting: Iterator<QuotaLedger> = this.#ledgers.list();
    const { telemetry } = this.#context;
    while (!signal.aborted) {
      measureUsage(telemetry, closestToLimit(this.#ledgers.list()));
      for (const organizationId of this.#unfinished.names('unfinished'))
        await this.#attempt(() => this.#ledger.settle(organizationId));
      const next = counting.next();
      if (next.done) counting = this.#ledgers.list();
      else await this.#attempt(() => this.#ledger.recount(next.value.metadata.name));
      await this.#context.world.sleep(waits.ledgerSweep_ms, signal);
    }
    // Another process measures now.
    measureUsage(telemetry, []);
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#context.telemetry.log.warn(
        { err: toError(error) },
        'the maintenance of a quota ledger failed and will be retried',
      );
    }
  }
}
