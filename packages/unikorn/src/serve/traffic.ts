import { getHeapStatistics } from 'node:v8';

import { watchPressure, type Pressure } from '@unikorn/core/http';
import type { TrafficLimits } from '@unikorn/core/limits';
import type { World } from '@unikorn/core/world';

import type { Configuration } from '../configuration/schema.ts';

/** Of the heap that the engine may use: beyond, it spends its time collecting garbage, and then it ends the process. */
const heapShare = 0.85;
/** Of the memory of the container: beyond, the kernel ends the process. */
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

/** When this process should take no more work. */
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
