import { createHash } from 'node:crypto';

import { annotations } from '@unikorn/core/resource';

import { canonicalValue, copied, copyOf, operatorFields, specRows, type Disruption } from '../fields/index.ts';
import type { ComputeInstance } from '../kinds/index.ts';
import type { Resolution } from '../link/index.ts';
import { observedFields } from './changes.ts';
import type { Wanted } from './plan.ts';

interface Planned {
  readonly instance: ComputeInstance;
  readonly wanted: Wanted;
  readonly resolution: Resolution;
  readonly action: Disruption;
}

/**
 * Identifies a plan: a digest of the current instance, the current server, the requested change and its effect. It is
 * not a secret: it only says which plan the caller has confirmed. Another body, or another state of instance or server,
 * has another token.
 */
export function tokenOf({
  instance: { metadata },
  wanted: { spec, description },
  resolution,
  action,
}: Planned): string {
  const parts = [
    metadata.uid,
    metadata.generation,
    metadata.annotations?.[annotations.description],
    action,
    description,
    canonicalSpec(spec),
    serverState(resolution),
  ];
  return createHash('sha256').update(JSON.stringify(parts, inOrder)).digest('base64url');
}

const canonicalCopies = [
  ...specRows.map((row) => copyOf(row.field.stored, row.field.stored, (value) => canonicalValue(row, value))),
  ...Object.keys(operatorFields).map((stored) => copyOf(stored, stored)),
];

/** The whole spec; values with the same meaning have the same form. */
function canonicalSpec(spec: Wanted['spec']): object {
  return copied(spec, canonicalCopies);
}

/** For `JSON.stringify`: equal values give equal texts, in whatever order their fields were sent. */
function inOrder(_key: string, value: unknown): unknown {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** A server that was recreated, or is being deleted, counts as another server even if its fields are equal. */
function serverState(resolution: Resolution): readonly unknown[] {
  switch (resolution.type) {
    case 'none':
      return [];
    case 'one': {
      const { creationTime, deletionTime } = resolution.server.metadata;
      return [creationTime, deletionTime, observedFields(resolution.server)];
    }
    case 'many':
      return [...resolution.serverIds];
  }
}
