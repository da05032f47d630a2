import { setPriority } from 'node:os';

import { attacks } from './hostile-callers.ts';
import type { Orders, Tally } from './orders.ts';

/** The process of those who mean no good: apart from the one that measures, so that it does not measure itself. */
const stop = new AbortController();
const tally = new Map<string, Map<number, number>>();

// Attackers have machines of their own. Here they share two cores with the server, and must not take its processor by
// working.
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
  // Each tenant does its share of the attacks, so that a limit for one caller does not stop all of them at once.
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
