import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Store } from '@unikorn/core/store';
import { interpose, Life } from '@unikorn/core/testing';
import type { VirtualWorld } from '@unikorn/core/world';

import { allocationIdOf } from '../kinds/quota.ts';
import { waits } from '../limits.ts';
import { amountOf, used } from './amounts.ts';
import { chargeFor, organizationId, outcomeOf, servers, stage } from './ledger.fixture.ts';
import { setLimits } from './standing.ts';

const limit = 10;
const processes = 3;

const resource = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const by = fc.integer({ min: 0, max: processes - 1 });
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('charge' as const), by, resource, amount: fc.integer({ min: 0, max: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), by, resource }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), for_ms: fc.integer({ min: 0, max: 200 }) }) },
  fc.record({ do: fc.constant('wait' as const), for_ms: fc.constant(waits.quotaChange_ms) }),
  fc.record({ do: fc.constant('crash' as const), by }),
);

/**
 * Every call has a delay in both directions, so that the calls of several processes interleave differently with every
 * seed.
 */
function slow(store: Store, world: VirtualWorld): Store {
  return interpose(store, async (_call, happen) => {
    await world.sleep(world.random() * 20);
    const result = await happen();
    await world.sleep(world.random() * 20);
    return result;
  });
}

it('processes that charge, release and die at random never exceed a limit, and the totals match', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 2 ** 30 }),
      async (commands, seed) => {
        const scene = await stage(seed);
        const { world, shared } = scene;
        await setLimits(scene.store, organizationId, { servers: limit });
        let exceeded = false;
        const watching = interpose(shared, async (_call, happen) => {
          const result = await happen();
          if (used(amountOf(await scene.allocated(), 'servers')) > limit) exceeded = true;
          return result;
        });
        let lives = 0;
        const start = () => {
          const life = new Life(slow(watching, world));
          return { life, ledger: scene.process(`life-${lives++}`, life.store) };
        };
        const running = Array.from({ length: processes }, start);
        const process = (number: number) => running[number] ?? start();
        const outcomes: string[] = [];
        const note = async (work: Promise<unknown>) => outcomes.push(await outcomeOf(work));

        for (const step of commands) {
          switch (step.do) {
            case 'charge':
              void note(process(step.by).ledger.charge(chargeFor(step.resource, servers(step.amount))));
              break;
            case 'release':
              void note(
                process(step.by).ledger.release(
                  organizationId,
                  allocationIdOf(organizationId, chargeFor(step.resource).resource),
                ),
              );
              break;
            case 'wait':
              await world.advance(step.for_ms);
              break;
            case 'crash':
              process(step.by).life.die();
              running[step.by] = start();
              break;
          }
        }
        await world.advance(2 * waits.quotaChange_ms);
        await scene.process('last').settle(organizationId);
        const books = await scene.books();
        expect(exceeded).toBe(false);
        expect(outcomes.filter((outcome) => outcome !== 'fine' && outcome !== 'quota_exceeded')).toEqual([]);
        made += outcomes.filter((outcome) => outcome === 'fine').length;
        expect(books?.pending ?? []).toEqual([]);
        expect(books?.totals ?? {}).toEqual(await scene.allocated());
      },
    ),
    { numRuns: 60 },
  );
  expect(made).toBeGreaterThan(100);
});

it('without crashes every acknowledged charge and release is effective, in order per resource', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ resource, amount: fc.option(fc.integer({ min: 0, max: 6 })) }), {
        minLength: 1,
        maxLength: 25,
      }),
      fc.integer({ min: 1, max: 2 ** 30 }),
      async (steps, seed) => {
        const scene = await stage(seed);
        const ledger = scene.process('one', slow(scene.shared, scene.world));
        const expected = new Map<string, number>();
        const answers = steps.map(({ resource: id, amount }) =>
          amount === null
            ? ledger
                .release(organizationId, allocationIdOf(organizationId, chargeFor(id).resource))
                .then(() => expected.delete(id))
            : outcomeOf(ledger.charge(chargeFor(id, servers(amount)))).then((outcome) => {
                expect(['fine', 'quota_exceeded']).toContain(outcome);
                if (outcome === 'fine') expected.set(id, amount);
              }),
        );
        await scene.world.advance(waits.quotaChange_ms);
        await Promise.all(answers);
        const total = [...expected.values()].reduce((sum, amount) => sum + amount, 0);
        expect(used(amountOf(await scene.allocated(), 'servers'))).toBe(total);
        expect(used(amountOf((await scene.books())?.totals ?? {}, 'servers'))).toBe(total);
      },
    ),
    { numRuns: 60 },
  );
});
