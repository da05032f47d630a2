import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readHistory } from '@unikorn/core/history';
import { findCondition } from '@unikorn/core/resource';

import { Network, regionHistoryStorage } from '../kinds/index.ts';
import { openLives } from '../testing/lives.ts';
import { leftBehind, networkBody } from '../testing/index.ts';

type Lives = Awaited<ReturnType<typeof openLives>>;
type Running = ReturnType<Lives['begin']>;

let stage: Lives;
beforeAll(async () => {
  stage = await openLives();
});
afterAll(() => stage.close());

const networks = async () => (await stage.store.list(Network)).items;
const isThere = async () =>
  (await networks()).some(({ status }) => findCondition(status?.conditions, 'Available')?.status === 'True');
const isGone = async () => (await leftBehind(stage.store)).length === 0;

/** How the history of a network ends, and how often it says that the deletion began and that the network is gone. */
async function endOf(id: string) {
  const { entries } = await readHistory(stage.store, regionHistoryStorage, id, {});
  const steps = entries.map(({ action, outcome }) => `${action} ${outcome}`);
  const count = (step: string) => steps.filter((one) => one === step).length;
  return { last: steps.at(-1), begun: count('deletion begun'), gone: count('deletion gone') };
}

function create({ ask }: Running): void {
  void ask('createNetwork', { body: networkBody(stage) }).catch(() => undefined);
}

/** Deletes all networks. */
async function removeAll({ ask }: Running): Promise<void> {
  for (const { metadata } of await networks())
    void ask('deleteNetwork', { params: { networkID: metadata.name } }).catch(() => undefined);
}

describe('a network', () => {
  it('whose process dies at any point of its creation can be deleted, and then nothing is left anywhere', async () => {
    for (let death = 1, died = true; died; death++) {
      died = (await stage.live(death, create, isThere)) === 'died';
      await stage.live(undefined, removeAll, isGone);
      expect(await leftBehind(stage.store)).toEqual([]);
      if (!died) expect(death).toBeGreaterThan(20);
    }
  });

  it('whose process dies at any point of its deletion is deleted by the next, or can be, and nothing is left anywhere', async () => {
    for (let death = 1, died = true; died; death++) {
      await stage.live(undefined, create, isThere);
      const ids = (await networks()).map(({ metadata }) => metadata.name);
      died = (await stage.live(death, removeAll, isGone)) === 'died';
      await stage.live(undefined, removeAll, isGone);
      for (const id of ids) expect(await endOf(id)).toEqual({ last: 'deletion gone', begun: 1, gone: 1 });
      if (!died) expect(death).toBeGreaterThan(20);
    }
  });

  it('is deleted in the end, however often its processes die', async () => {
    const deaths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(deaths, async ([first, ...others]) => {
        await stage.live(first, create, isThere);
        for (const death of others) await stage.live(death, removeAll, isGone);
        await stage.live(undefined, removeAll, isGone);
        expect(await leftBehind(stage.store)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});
