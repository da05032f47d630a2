import { referenceNameOf, type ReferenceRecord } from '@unikorn/core/references';
import { labels, referenceOf } from '@unikorn/core/resource';

import { aboutOf, aboutReference, holdingOf, holdsOf, isSame, kindsOf, usedBy, type About } from '../../holds/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { isSettled } from '../../provisioners/instance/refusals.ts';
import type { Finding } from '../finding.ts';

type Held = Finding & { readonly holder: About };

/** What is held for an instance that does not exist, or that does not use it any more. While a change is under way, both what was and what will be used is held. */
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

/** What an instance uses and does not hold. */
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
