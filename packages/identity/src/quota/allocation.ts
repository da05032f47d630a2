import { isDeepStrictEqual } from 'node:util';

import type { Draft } from '@unikorn/core/kinds';
import {
  annotations,
  labels,
  modifiedMetadata,
  newMetadata,
  type Author,
  type Naming,
  type Reference,
  type Tag,
} from '@unikorn/core/resource';

import { type Allocation, allocationIdOf, changeAnnotation } from '../kinds/quota.ts';
import type { AmountEntry } from './amounts.ts';

/** The scope of a resource, which determines the charged organization. */
export interface ProjectScope {
  readonly organizationId: string;
  readonly projectId: string;
}

/** The new quota usage of a resource. */
export interface Charge {
  readonly scope: ProjectScope;
  readonly resource: Reference;
  readonly amounts: readonly AmountEntry[];
  readonly naming: Naming;
  readonly tags?: readonly Tag[] | undefined;
  readonly author: Author;
  /** Whether a resource without an allocation is charged or refused. */
  readonly ifAbsent: 'charge' | 'refuse';
}

function specOf({ resource, amounts, tags }: Charge): Allocation['spec'] {
  return {
    kind: resource.kind,
    id: resource.id,
    allocations: amounts.map(({ kind, committed, reserved }) => ({ kind, committed, reserved })),
    ...(tags?.length ? { tags } : {}),
  };
}

export function newAllocation(charge: Charge, token: string): Draft<typeof Allocation> {
  const { scope, resource, naming, author } = charge;
  const extra = {
    labels: { [labels.resourceKind]: resource.kind, [labels.resourceId]: resource.id },
    annotations: { [changeAnnotation]: token },
  };
  return {
    metadata: newMetadata(allocationIdOf(scope.organizationId, resource), naming, scope, author, extra),
    spec: specOf(charge),
  };
}

export function changedAllocation(current: Allocation, charge: Charge, token: string, now: number): Allocation {
  return marked(
    {
      ...current,
      metadata: modifiedMetadata(current.metadata, charge.naming, charge.author, now),
      spec: specOf(charge),
    },
    token,
  );
}

/** The allocation, marked with another change: a process with the old version can no longer write it. */
export function marked(allocation: Allocation, token: string): Allocation {
  return {
    ...allocation,
    metadata: {
      ...allocation.metadata,
      annotations: { ...allocation.metadata.annotations, [changeAnnotation]: token },
    },
  };
}

/** Whether the resource already has these amounts, and the same name. */
export function isCharged({ metadata, spec }: Allocation, charge: Charge): boolean {
  const named =
    metadata.labels?.[labels.name] === charge.naming.name &&
    metadata.annotations?.[annotations.description] === charge.naming.description;
  return named && isDeepStrictEqual(spec, specOf(charge));
}
