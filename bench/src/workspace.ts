import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSqliteStore } from '@unikorn/core/store/sqlite';
import type { Store } from '@unikorn/core/store';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { thing, Thing } from './objects.ts';

export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'unikorn-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A durable store in its own folder, which is removed after the work. */
export function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const store = await openSqliteStore({
      path: join(folder, 'state.db'),
      world: systemWorld,
      telemetry: silentTelemetry(),
      kinds: [Thing],
    });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  });
}

/** Runs a job in this many concurrent lanes until the total is reached. */
export async function inLanes(lanes: number, total: number, job: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < total) await job(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

export async function fill(store: Store, count: number): Promise<void> {
  await inLanes(256, count, (number) => store.create(Thing, thing(number)));
}

/** Seconds the work took. */
export async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
