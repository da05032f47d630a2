import { expect, it, onTestFinished } from 'vitest';

import type { Kind } from '@unikorn/core/kinds';
import type { Store } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, isWrite, virtualWorld } from '@unikorn/core/testing';
import { passing } from '@unikorn/core/testing/carriers';

import { controlPlaneKinds } from '../serve/control-plane.ts';
import { liveThrough, startEveryPart } from './every-part.fixture.ts';
import { roleOf, rulesOf } from './rules.ts';
import { partTable, serviceOf, type PartName } from './table.ts';

/** The kinds that a part has used, by how it used them. */
interface Uses {
  readonly read: Set<string>;
  readonly written: Set<string>;
}

/** A store that notes which kinds its user reads and writes. */
function noting(store: Store, uses: Uses): Store {
  const noted = interpose(store, (call, happen) => {
    (isWrite(call) ? uses.written : uses.read).add(call.kind.id);
    return happen();
  });
  return {
    ...noted,
    watch: (kind, query) => {
      uses.read.add(kind.id);
      return store.watch(kind, query);
    },
  };
}

function idsOf(kinds: readonly Kind[]): readonly string[] {
  return kinds.map(({ id }) => id);
}

it('every part uses only the kinds that its rules allow', { timeout: 300_000 }, async () => {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: controlPlaneKinds });
  const uses = new Map<PartName, Uses>();
  const platform = await startEveryPart({
    world,
    storeFor: (part) => {
      const own: Uses = { read: new Set(), written: new Set() };
      uses.set(part, own);
      return Promise.resolve(noting(store, own));
    },
    passing: (work) => passing(world, work),
    pause: () => world.advance(200),
  });
  onTestFinished(async () => {
    await platform.stop();
    await store.close();
  });
  // The monitors run once a minute, and the sweepers of histories once an hour.
  await liveThrough(platform, () => world.advance(130_000));
  await world.advance(3700_000);
  for (const [part, { written, read }] of uses) {
    const { writes, reads } = rulesOf(part);
    expect([part, [...written].filter((id) => !idsOf(writes).includes(id))]).toEqual([part, []]);
    expect([part, [...read].filter((id) => !idsOf([...writes, ...reads]).includes(id))]).toEqual([part, []]);
  }
});

it('no part but an API has more rules than its own work needs', () => {
  for (const { name } of partTable.filter((part) => !part.name.endsWith('/api')))
    for (const kind of ['signingkeys', 'userpasswords', 'idempotencyrecords'])
      expect([name, JSON.stringify(roleOf(name)).includes(kind)]).toEqual([name, false]);
  const foreign = (service: string) =>
    ['identity', 'region', 'compute'].filter((other) => other !== service).map((other) => `${other}.unikorn-cloud.org`);
  for (const { name } of partTable)
    for (const group of foreign(serviceOf(name)))
      expect([name, roleOf(name).filter(({ apiGroups }) => apiGroups.includes(group))]).toEqual([name, []]);
});
