import { getHeapStatistics } from 'node:v8';

import { watchPressure, type Pressure } from '@unikorn/core/http';
import type { TrafficLimits } from '@unikorn/core/limits';
import type { World } from '@unikorn/core/world';

import type { Configuration } from '../configuration/schema.ts';

/** Share of the heap limit. Above it, the engine spends its time on garbage collection, and then ends the process. */
const heapShare = 0.85;
/** Share of the container's memory. Above it, the kernel ends the process. */
const residentShare = 0.9;

/** The configured limits, as options of the server. */
export function trafficOf({ traffic }: Pick<Configuration, 'traffic'>): Partial<TrafficLimits> {
  const {
    requestsPerSecond,
    requests,
    anonymousRequestsPerSecond,
    anonymousRequests,
    streams,
    totalRequests,
    totalStreams,
  } = traffic;
  return {
    requestsPerSecond,
    requestBurst: 3 * requestsPerSecond,
    requests,
    anonymousPerSecond: anonymousRequestsPerSecond,
    anonymousBurst: 3 * anonymousRequestsPerSecond,
    anonymousRequests,
    streams,
    totalRequests,
    totalStreams,
  };
}

/** Whether this process should refuse new work. */
export function processPressure(
  world: World,
  { traffic }: Pick<Configuration, 'traffic'>,
  stop: AbortSignal,
): Pressure {
  const vitals = () => {
    const { heapUsed, rss } = process.memoryUsage();
    const { user, system } = process.threadCpuUsage();
    return { heap_bytes: heapUsed, resident_bytes: rss, cpu_ms: (user + system) / 1000 };
  };
  const container_bytes = process.constrainedMemory();
  const resident_bytes =
    traffic.memory !== undefined
      ? traffic.memory * 2 ** 20
      : container_bytes > 0
        ? container_bytes * residentShare
        : Infinity;
  return watchPressure(
    world,
    vitals,
    { delay_ms: traffic.delay, heap_bytes: getHeapStatistics().heap_size_limit * heapShare, resident_bytes },
    stop,
  );
}
