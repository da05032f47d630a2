import { setPriority } from 'node:os';

import { attacks } from './hostile-callers.ts';
import type { Orders, Tally } from './orders.ts';

/**
 * The process of the hostile callers. It is separate from the measuring process, so that it does not influence the
 * measurement.
 */
const stop = new AbortController();
const tally = new Map<string, Map<number, number>>();

// Real attackers use other machines. Here they share two cores with the server, so they run with low priority.
setPriority(19);

process.on('disconnect', () => {
  process.exit(0);
});

process.on('message', (orders: Orders) => {
  void attackAll(orders);
});

async function attackAll({ base, tenants, seconds }: Orders): Promise<void> {
  setTimeout(() => {
    stop.abort();
  }, seconds * 1000);
  const tell = (what: string, status: number) => {
    const statuses = tally.get(what) ?? new Map<number, number>();
    tally.set(what, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  };
  const failures: string[] = [];
  // Each tenant runs some of the attacks, so that a limit for one caller does not stop all of them.
  await Promise.all(
    attacks.map(async (attack, number) => {
      const tenant = tenants[number % tenants.length];
      try {
        if (tenant) await attack({ base, tenant, signal: stop.signal, tell });
      } catch (error) {
        failures.push(String(error));
      }
    }),
  );
  process.send?.({
    failures,
    counts: Object.fromEntries([...tally].map(([what, statuses]) => [what, Object.fromEntries(statuses)])),
  } satisfies Tally);
}
