import { Gauge, Histogram } from 'prom-client';

import { waits } from '../../limits.ts';
import { perRegistry } from '../../telemetry/index.ts';
import type { World } from '../../world/index.ts';
import type { WriterPort } from './port.ts';
import type { Reader } from './reader.ts';

/** The metrics of commits, which only this engine has. */
export const commitMetrics = perRegistry((registry) => ({
  batch: new Histogram({
    name: 'unikorn_store_batch_operations',
    help: 'Operations that shared a commit',
    buckets: [1, 4, 16, 64, 256, 1024],
    registers: [registry],
  }),
  commit: new Histogram({
    name: 'unikorn_store_commit_seconds',
    help: 'Time from submitting a batch until it is durable',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  }),
  size: new Gauge({ name: 'unikorn_store_size_bytes', help: 'Size of the database', registers: [registry] }),
}));

/** The same port, with every commit measured. */
export function observedPort(
  port: WriterPort,
  world: World,
  reader: Reader,
  { batch, commit, size }: ReturnType<typeof commitMetrics>,
): WriterPort {
  let measured_ms = -Infinity;
  return {
    async commit(operations) {
      const start_ms = world.monotonic_ms();
      const versions = await port.commit(operations);
      commit.observe((world.monotonic_ms() - start_ms) / 1000);
      batch.observe(versions.length);
      if (start_ms - measured_ms >= waits.measuring_ms) {
        size.set(reader.size_bytes());
        measured_ms = start_ms;
      }
      return versions;
    },
    probe: () => port.probe(),
    close: () => port.close(),
  };
}
