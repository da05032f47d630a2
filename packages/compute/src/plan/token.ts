import { createHash } from 'node:crypto';

import { annotations } from '@unikorn/core/resource';

import type { ComputeInstance } from '../kinds/index.ts';
import type { Resolution } from '../link/index.ts';
import { standingOf, wishOf, type Disruption } from './changes.ts';
import type { Wanted } from './plan.ts';

interface Planned {
  readonly instance: ComputeInstance;
  readonly wanted: Wanted;
  readonly resolution: Resolution;
  readonly action: Disruption;
}

/**
 * Names a plan: the instance as it is, the server as it is, what is wanted, and what that does. It is a digest and no secret,
 * because whoever presents it only says what they have agreed to; another body, or a world that moved on, has another.
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
    canonical(spec),
    standing(resolution),
  ];
  return createHash('sha256').update(JSON.stringify(parts, inOrder)).digest('base64url');
}

/** The whole spec, in the form that two of them are compared in. A field that is added to the kind is covered without a word here. */
function canonical(spec: Wanted['spec']): object {
  const { securityGroups, allowedSourceAddresses, userData } = wishOf(spec);
  return {
    ...spec,
    tags: spec.tags ?? [],
    userData,
    networking: { ...spec.networking, securityGroupIDs: securityGroups, allowedSourceAddresses },
  };
}

/** For `JSON.stringify`: equal values are equal texts, in whatever order their fields were sent. */
function inOrder(_key: string, value: unknown): unknown {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** A server that was made anew meanwhile, or is on its way out, is another one even if it looks the same. */
function standing(resolution: Resolution): readonly unknown[] {
  switch (resolution.type) {
    case 'none':
      return [];
    case 'one': {
      const { creationTime, deletionTime } = resolution.server.metadata;
      return [creationTime, deletionTime, standingOf(resolution.server)];
    }
    case 'many':
      return [...resolution.serverIds];
  }
}
