import { announceTransition, transitionBetween, transitionSubject, type CacheListener } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';
import type { Telemetry } from '@unikorn/core/telemetry';

import { Server } from '../kinds/index.ts';
import { monitorMetrics } from './metrics.ts';

/** Reports state changes of servers to log and metrics, whether the monitor, a controller or a handler wrote them. */
export function announceServers({ log, registry }: Telemetry): CacheListener<typeof Server> {
  const { provisioning, scheduling } = monitorMetrics(registry);
  return ({ type, object, previous }) => {
    if (type !== 'modified' || previous?.metadata.uid !== object.metadata.uid) return;
    const health = transitionBetween('health', Server, previous, object);
    if (health) announceTransition(log, health);
    const [from, to] = [previous.status?.phase, object.status?.phase];
    if (from !== to) log.info({ ...transitionSubject(Server, object), phase: { from, to } }, 'phase');
    const region = { region_id: object.metadata.labels?.[labels.region] ?? '' };
    const since = (field: 'provisionedAt' | 'scheduledAt') => firstTime(object, previous, field);
    for (const seconds of since('provisionedAt')) provisioning.observe(region, seconds);
    for (const seconds of since('scheduledAt')) scheduling.observe(region, seconds);
  };
}

/** The seconds from creation to a time that was just set; undefined if it is not set, or if clocks disagree. */
function firstTime(
  { metadata, status }: Server,
  previous: Server,
  field: 'provisionedAt' | 'scheduledAt',
): readonly number[] {
  const time = status?.[field];
  if (time === undefined || previous.status?.[field] !== undefined) return [];
  const seconds = (Date.parse(time) - Date.parse(metadata.creationTimestamp)) / 1000;
  return seconds >= 0 ? [seconds] : [];
}
