import { referenceNameOf, type ReferenceRecord } from '@unikorn/core/references';
import { labels, referenceOf } from '@unikorn/core/resource';

import { aboutOf, aboutReference, holdingOf, holdsOf, isSame, kindsOf, usedBy, type About } from '../../holds/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { isSettled } from '../../provisioners/instance/refusals.ts';
import type { Finding } from '../finding.ts';

type Held = Finding & { readonly holder: About };

/**
 * Finds references of instances that do not exist, or that no longer use the resource. During a change, both the old
 * and the new references exist.
 */
export function checkHeld(record: ReferenceRecord, instance: ComputeInstance | undefined): readonly Held[] {
  const used = usedBy(record);
  const finding = {
    checker: 'reference-drift',
    id: aboutReference(record).id,
    evidence: `${record.metadata.name} ${record.metadata.resourceVersion} ${instance?.metadata.generation}`,
  } as const;
  if (!used) return [];
  const what = `${used.what} ${used.id}`;
  if (!instance)
    return [
      {
        ...finding,
        message: `a reference to ${what} is left, but the instance does not exist`,
        holder: aboutReference(record),
      },
    ];
  if (instance.metadata.deletionTimestamp !== undefined || !isSettled(instance)) return [];
  const wanted = holdsOf(holdingOf(instance)).find((one) => isSame(one.used, used));
  if (wanted && wanted.protects === (record.spec.protects ?? false)) return [];
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

/** Finds resources that an instance uses without a reference. */
export function checkHolds(instance: ComputeInstance, held: ReadonlySet<string>): readonly Held[] {
  const { name: id, uid, generation, deletionTimestamp, labels: carried = {} } = instance.metadata;
  if (deletionTimestamp !== undefined || !carried[labels.organization] || !carried[labels.project]) return [];
  const reference = referenceOf(ComputeInstance, id);
  const missing = holdsOf(holdingOf(instance)).filter(
    ({ used }) => !held.has(referenceNameOf(kindsOf[used.what], used.id, reference)),
  );
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
