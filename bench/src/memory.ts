import { spawn } from 'node:child_process';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

import { Caches } from '@unikorn/core/controller';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { thing, Thing } from './objects.ts';
import type { Figure, Suite } from './report.ts';
import { many } from './scale.ts';
import { fill, inTemporaryFolder, seconds } from './workspace.ts';

const objects = many(100_000);

/** Uses the inspector for garbage collection, so that the process needs no flag. */
async function heap_MB(inspector: Session): Promise<number> {
  await inspector.post('HeapProfiler.collectGarbage');
  return process.memoryUsage().heapUsed / 1e6;
}

async function open(path: string) {
  const context = { world: systemWorld, telemetry: silentTelemetry() };
  const store = await openSqliteStore({ path, kinds: [Thing], ...context });
  return { store, caches: new Caches({ store, ...context }) };
}

/** An empty process, for comparison. */
function bareStart(): Promise<unknown> {
  return new Promise((resolve) => spawn(process.execPath, ['-e', '0']).on('close', resolve));
}

export const memorySuite: Suite = {
  name: 'memory',
  run: (progress) =>
    inTemporaryFolder(async (folder) => {
      const path = join(folder, 'state.db');
      const inspector = new Session();
      inspector.connect();
      progress(`storing ${objects.toLocaleString('en')} objects`);
      const first = await open(path);
      await fill(first.store, objects);
      await first.store.close();

      progress('starting on them');
      const before = await heap_MB(inspector);
      const stop = new AbortController();
      const start = performance.now();
      const { store, caches } = await open(path);
      const opened = (performance.now() - start) / 1000;
      caches.of(Thing);
      const running = caches.run(stop.signal);
      await caches.whenSynced();
      const synced = (performance.now() - start) / 1000;
      const cached = (await heap_MB(inspector)) - before;
      stop.abort();
      await running;
      await store.close();

      progress('the same objects in a plain array');
      const bareBefore = await heap_MB(inspector);
      const texts = Array.from({ length: objects }, (_, number) => JSON.stringify(thing(number)));
      const textsHeld = (await heap_MB(inspector)) - bareBefore;
      const parsed = texts.map((text): unknown => JSON.parse(text));
      const bare = (await heap_MB(inspector)) - bareBefore - textsHeld;
      inspector.disconnect();
      const nodeStart = await seconds(bareStart);

      const settings = `${objects.toLocaleString('en')} objects of 2 KB`;
      return [
        {
          name: 'memory of a cache',
          settings,
          value: cached,
          unit: 'MB',
          baseline: {
            name: `the same ${parsed.length.toLocaleString('en')} objects parsed into an array`,
            value: bare,
          },
        },
        {
          name: 'opening the store',
          settings,
          value: opened,
          unit: 's',
          baseline: { name: 'node -e 0', value: nodeStart },
        },
        {
          name: 'opening the store and filling a cache',
          settings,
          value: synced,
          unit: 's',
          baseline: { name: 'node -e 0', value: nodeStart },
        },
      ] satisfies Figure[];
    }),
};
