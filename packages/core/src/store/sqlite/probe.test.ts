import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { isProblem, Problem } from '../../errors/index.ts';
import { limits } from '../../limits.ts';
import { virtualWorld } from '../../testing/index.ts';
import { expectProblem } from '../conformance/harness.ts';
import { Widget } from '../conformance/kinds.ts';
import { SharedProbe } from '../probe.ts';
import { Query } from './query.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();

describe('the probe of a store', () => {
  it('writes, and writes again once there may be room', async () => {
    const path = scratchPath();
    const world = virtualWorld();
    const store = await openScratchStore(path, { world, maxBytes: 600_000 });
    await store.probe();
    const parts = Array.from({ length: 400 }, (_, index) => `part ${index}`);
    const filled: string[] = [];
    for (let failure: unknown; !failure;) {
      const name = `w${filled.length}`;
      await store.create(Widget, { metadata: { name }, spec: { size: 1, parts } }).then(
        () => filled.push(name),
        (error: unknown) => {
          failure = error;
        },
      );
      if (failure) expect(isProblem(failure, 'storage_full')).toBe(true);
    }
    // The result of the previous probe is cached for a moment.
    await store.probe();
    await world.advance(limits.writeProbe_ms);
    await expectProblem(store.probe(), 'storage_full');
    await store.close();
    const roomier = await openScratchStore(path);
    await roomier.probe();
    await roomier.close();
  });

  it('leaves nothing behind and is not visible to watchers', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path);
    const { resourceVersion } = await store.list(Widget);
    await store.probe();
    expect((await store.list(Widget)).resourceVersion).toBe(resourceVersion);
    await store.close();
    const database = new DatabaseSync(path, { readOnly: true });
    expect(new Query<[number]>(database, 'SELECT count(*) FROM probes').get()).toEqual([0]);
    database.close();
  });

  it('writes once for any number of concurrent callers, and not again before the last write has ended', async () => {
    const world = virtualWorld();
    const tries: PromiseWithResolvers<undefined>[] = [];
    const probe = new SharedProbe(world, async () => {
      const attempt = Promise.withResolvers<undefined>();
      tries.push(attempt);
      await attempt.promise;
    });
    const asked = Array.from({ length: 100 }, () => probe.tell());
    await world.advance(10 * limits.writeProbe_ms);
    asked.push(probe.tell());
    expect(tries).toHaveLength(1);
    tries[0]?.resolve(undefined);
    await Promise.all(asked);
    await probe.tell();
    await world.advance(limits.writeProbe_ms - 1);
    await probe.tell();
    expect(tries).toHaveLength(1);
    await world.advance(1);
    const failed = probe.tell();
    tries[1]?.reject(new Problem('storage_full', 'no room'));
    await expectProblem(failed, 'storage_full');
    await expectProblem(probe.tell(), 'storage_full');
    expect(tries).toHaveLength(2);
  });
});
