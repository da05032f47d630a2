import { labels } from '@unikorn/core/resource';
import { isImplausibleLoss } from '@unikorn/region/client';

import type { WatchingContext } from '../../context.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';
import { serverIdOf } from '../../link/index.ts';
import { isLoss } from './replacement.ts';

/** Decides for a region whether missing machines may be treated as lost. */
export function lossBrake({
  caches,
  watches: { servers },
  world,
}: Pick<WatchingContext, 'caches' | 'watches' | 'world'>): (regionId: string) => 'believed' | 'doubted' {
  const linked = caches
    .of(ComputeInstance)
    .index((instance) => (isExpected(instance) ? [instance.metadata.labels?.[labels.region] ?? ''] : []));
  const counts = new Map<string, { readonly at_ms: number; readonly verdict: 'believed' | 'doubted' }>();
  return (regionId) => {
    const known = counts.get(regionId);
    if (known && world.monotonic_ms() - known.at_ms < waits.brakeCount_ms) return known.verdict;
    const instances = linked.get(regionId);
    const missing = instances.filter((instance) => servers.get(serverIdOf(instance)) === undefined).length;
    const verdict = isImplausibleLoss({ expected: instances.length, missing }) ? 'doubted' : 'believed';
    counts.set(regionId, { at_ms: world.monotonic_ms(), verdict });
    return verdict;
  };
}

/** Whether it should have a machine. During a replacement it has none for some time. */
function isExpected({ metadata, status }: ComputeInstance): boolean {
  const { serverId, replacement } = status ?? {};
  return (
    serverId !== undefined &&
    metadata.deletionTimestamp === undefined &&
    (replacement === undefined || isLoss(replacement))
  );
}
