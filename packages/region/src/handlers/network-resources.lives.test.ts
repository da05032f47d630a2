import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Kind, Resource } from '@unikorn/core/kinds';
import { findCondition } from '@unikorn/core/resource';

import { LoadBalancer, Network, SecurityGroup } from '../kinds/index.ts';
import { leftBehind, networkBody } from '../testing/index.ts';
import { openLives } from '../testing/lives.ts';

type Lives = Awaited<ReturnType<typeof openLives>>;
type Running = ReturnType<Lives['begin']>;

let stage: Lives;
let networkId: string;
/** The objects that exist when there is only an empty network. */
let clean: readonly string[];
beforeAll(async () => {
  stage = await openLives();
  await stage.live(
    undefined,
    ({ ask }) => void ask('createNetwork', { body: networkBody(stage) }),
    () => isThere(Network),
  );
  networkId = (await all(Network))[0]?.metadata.name ?? '';
  clean = await leftBehind(stage.store);
});
afterAll(() => stage.close());

async function all<K extends Kind>(kind: K): Promise<readonly Resource<K>[]> {
  return (await stage.store.list(kind)).items;
}

async function isThere(kind: Kind): Promise<boolean> {
  return (await all(kind)).some(
    ({ metadata, status }) =>
      status?.observedGeneration === metadata.generation &&
      findCondition(status.conditions, 'Available')?.status === 'True',
  );
}

async function isGone(): Promise<boolean> {
  return (await leftBehind(stage.store)).length === clean.length;
}

const listeners = [{ name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } }];

/** The resources in a network that a process creates and may fail to complete, each with a change. */
const residents = [
  {
    kind: SecurityGroup,
    param: 'securityGroupID',
    created: { rules: [] },
    changed: { rules: [{ direction: 'ingress', protocol: 'tcp', port: 22 }] },
    effects: 8,
  },
  {
    kind: LoadBalancer,
    param: 'loadBalancerID',
    created: { listeners },
    changed: { publicIP: true, listeners },
    effects: 15,
  },
] as const;

describe.each(residents)('a $kind.kind', ({ kind, param, created, changed, effects }) => {
  const create = ({ ask }: Running) =>
    void ask(`create${kind.kind}`, { body: { metadata: { name: 'web' }, spec: { networkId, ...created } } }).catch(
      () => undefined,
    );
  const each =
    (verb: 'update' | 'delete') =>
    async ({ ask }: Running): Promise<void> => {
      const body = { metadata: { name: 'web' }, spec: changed };
      for (const { metadata } of await all<Kind>(kind))
        void ask(`${verb}${kind.kind}`, { params: { [param]: metadata.name }, body }).catch(() => undefined);
    };
  const change = each('update');
  const remove = each('delete');

  it('whose process dies at any point of its creation can be deleted, and then nothing of it is left anywhere', async () => {
    for (let death = 1, died = true; died; death++) {
      died = (await stage.live(death, create, () => isThere(kind))) === 'died';
      await stage.live(undefined, remove, isGone);
      expect(await leftBehind(stage.store)).toEqual(clean);
      if (!died) expect(death).toBeGreaterThan(effects);
    }
  });

  it('whose process dies at any point of a change or of its deletion is deleted by the next, or can be, and nothing of it is left anywhere', async () => {
    for (let death = 1, died = true; died; death++) {
      await stage.live(undefined, create, () => isThere(kind));
      const isChanged = async () =>
        (await all<Kind>(kind)).some(({ metadata }) => metadata.generation > 1) && isThere(kind);
      const ends = [await stage.live(death, change, isChanged), await stage.live(death, remove, isGone)];
      died = ends.includes('died');
      await stage.live(undefined, remove, isGone);
      expect(await leftBehind(stage.store)).toEqual(clean);
      if (!died) expect(death).toBeGreaterThan(effects);
    }
  });
});
