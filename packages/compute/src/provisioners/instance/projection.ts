import { isDeepStrictEqual } from 'node:util';

import type { DomainCondition, StatusPatch } from '@unikorn/core/controller';
import type { StatusOf } from '@unikorn/core/kinds';
import { findCondition } from '@unikorn/core/resource';
import { timestamp } from '@unikorn/core/world';
import type { ServerRead } from '@unikorn/region/client';

import { observedFields } from '../../fields/index.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';

type Status = StatusOf<typeof ComputeInstance>;
export type InstancePatch = StatusPatch<typeof ComputeInstance>;

/**
 * The status fields from a server. The time of observation is written with other changes, and otherwise only from time
 * to time.
 */
export function projection(before: Status | undefined, server: ServerRead, now: number): InstancePatch {
  const patch = fieldsOf(server);
  return isNews(before, patch) || isStale(before, now) ? { ...patch, observedAt: timestamp(now) } : patch;
}

/** The status of an instance without a machine. */
export function withoutMachine(message: string): InstancePatch {
  const health: DomainCondition = { type: 'Healthy', status: 'Unknown', reason: 'Unknown', message };
  return { ...followed(undefined), conditions: [health] };
}

function fieldsOf(server: ServerRead): InstancePatch {
  return { ...followed(server), conditions: [healthOf(server.metadata)] };
}

/** The fields that are copied from the server, as far as they must be written. */
function followed(server: ServerRead | undefined): Omit<InstancePatch, 'conditions'>;
function followed(server: ServerRead | undefined): object {
  return Object.fromEntries(observedFields(server).map(({ stored, value }) => [stored, value]));
}

function healthOf({ healthStatus, healthStatusDetail }: ServerRead['metadata']): DomainCondition {
  const message = healthStatusDetail?.message ?? '';
  switch (healthStatus) {
    case 'healthy':
      return { type: 'Healthy', status: 'True', reason: 'Healthy', message };
    case 'degraded':
      return { type: 'Healthy', status: 'False', reason: 'Degraded', message };
    case 'error':
      return { type: 'Healthy', status: 'False', reason: 'Errored', message };
    case 'unknown':
      return { type: 'Healthy', status: 'Unknown', reason: 'Unknown', message };
  }
}

function isNews(before: Status = {}, { conditions = [], ...fields }: InstancePatch): boolean {
  const shown: Readonly<Record<string, unknown>> = before;
  const isOther = ({ type, reason, message }: DomainCondition) => {
    const standing = findCondition(before.conditions, type);
    return standing?.reason !== reason || standing.message !== message;
  };
  return (
    Object.entries(fields).some(([field, value]) => !isDeepStrictEqual(shown[field], value)) || conditions.some(isOther)
  );
}

function isStale(before: Status | undefined, now: number): boolean {
  return before?.observedAt === undefined || now - Date.parse(before.observedAt) > waits.staleStatus_ms;
}
