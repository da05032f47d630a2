import { afterAll, beforeAll, expect, it } from 'vitest';

import { isProblem } from '@unikorn/core/errors';
import { kubeconfigAccess, openKubernetesStore } from '@unikorn/core/store/kubernetes';
import type { Store } from '@unikorn/core/store';
import { interpose } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { liveThrough, startEveryPart } from '../../packages/unikorn/src/parts/every-part.fixture.ts';
import { controlPlaneKinds } from '../../packages/unikorn/src/serve/control-plane.ts';
import { installRights, templateOf, tokenOf } from './chart.fixture.ts';
import { startCluster, type Cluster } from './cluster.fixture.ts';

const namespace = 'unikorn-rights';
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  await installRights(cluster, namespace, await templateOf(namespace));
}, 120_000);
afterAll(() => cluster.stop());

/** A missing right, refused credentials, or an admission policy. */
const refusal = / may not |refuses the credentials|forbids the request/;

/** A store that notes what the API server refuses, also if its user tries again. */
function noting(store: Store, note: (refused: string) => void): Store {
  const check = (kind: string, verb: string, error: unknown) => {
    if (isProblem(error, 'storage_unavailable') && refusal.test(error.message)) note(`${verb} ${kind}`);
  };
  const noted = interpose(store, async ({ kind, verb }, happen) => {
    try {
      return await happen();
    } catch (error) {
      check(kind.id, verb, error);
      throw error;
    }
  });
  return {
    ...noted,
    async *watch(kind, query) {
      try {
        yield* store.watch(kind, query);
      } catch (error) {
        check(kind.id, 'watch', error);
        throw error;
      }
    },
  };
}

it('all parts do their work with the rights of their own service accounts', { timeout: 300_000 }, async () => {
  const stores: Store[] = [];
  const refused: string[] = [];
  const platform = await startEveryPart({
    world: systemWorld,
    storeFor: async (part) => {
      const access = await kubeconfigAccess(cluster.holderOf(await tokenOf(cluster, namespace, part)));
      const store = await openKubernetesStore({ world: systemWorld, access, namespace, kinds: controlPlaneKinds });
      stores.push(store);
      return noting(store, (what) => refused.push(`${part}: ${what}`));
    },
    passing: (work) => work,
    pause: () => systemWorld.sleep(200),
  });
  try {
    await liveThrough(platform, () => Promise.resolve());
  } finally {
    await platform.stop();
    for (const store of stores) await store.close();
  }
  expect(refused).toEqual([]);
});
