import { labels } from '@unikorn/core/resource';

import {
  aboutOf,
  aboutReference,
  holdingOf,
  holdsOf,
  isSame,
  type About,
  type HeldReference,
  type Used,
} from '../../holds/index.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import { isSettled } from '../../provisioners/instance/refusals.ts';
import type { Finding } from '../finding.ts';

type Held = Finding & { readonly holder: About };

/**
 * Finds references of instances that do not exist, or that no longer use the resource. During a change, both the old
 * and the new references exist.
 */
export function checkHeld(reference: HeldReference, instance: ComputeInstance | undefined): readonly Held[] {
  const { used, instanceId, protects, claims } = reference;
  const what = `${used.what} ${used.id}`;
  const finding = {
    checker: 'reference-drift',
    id: instanceId,
    evidence: `${what} ${protects} ${claims.join(',')} ${instance?.metadata.generation}`,
  } as const;
  if (!instance)
    return [
      {
        ...finding,
        message: `a reference to ${what} is left, but the instance does not exist`,
        holder: aboutReference(reference),
      },
    ];
  if (instance.metadata.deletionTimestamp !== undefined || !isSettled(instance)) return [];
  const wanted = holdsOf(holdingOf(instance)).find((one) => isSame(one.used, used));
  if (wanted && wanted.protects === protects) return [];
  return [
    {
      ...finding,
      message: wanted
        ? `its reference to ${what} has the wrong deletion protection`
        : `it has a reference to ${what}, which it does not use`,
      holder: aboutOf(instance),
    },
  ];
}

/** One reference of one instance. */
export function heldKey(instanceId: string, { what, id }: Used): string {
  return `${instanceId} ${what} ${id}`;
}

/** Finds resources that an instance uses without a reference. */
export function checkHolds(instance: ComputeInstance, held: ReadonlySet<string>): readonly Held[] {
  const { name: id, uid, generation, deletionTimestamp, labels: carried = {} } = instance.metadata;
  if (deletionTimestamp !== undefined || !carried[labels.organization] || !carried[labels.project]) return [];
  const missing = holdsOf(holdingOf(instance)).filter(({ used }) => !held.has(heldKey(id, used)));
  if (missing.length === 0) return [];
  const what = missing.map(({ used }) => `${used.what} ${used.id}`);
  return [
    {
      checker: 'reference-drift',
      id,
      evidence: `${uid} ${generation} ${what.join(' ')}`,
      message: `it uses ${what.join(', ')}, but has no reference to it`,
      holder: aboutOf(instance),
    },
  ];
}
