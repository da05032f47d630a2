import { ReferenceRecord } from '@unikorn/core/references';
import { Saga } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import { identityKinds } from '@unikorn/identity';

import { projectKinds } from '../kinds/index.ts';
import { simulatedKinds } from '../providers/simulated/index.ts';

export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly regionId: string;
}

/** The body for creating a network. */
export function networkBody({ organizationId, projectId, regionId }: Place, spec: object = {}, metadata: object = {}) {
  return {
    metadata: { name: 'net', ...metadata },
    spec: { organizationId, projectId, regionId, prefix: '10.0.0.0/24', dnsNameservers: [], ...spec },
  };
}

const allocations = identityKinds.filter(({ kind }) => kind === 'Allocation');

/**
 * Everything that projects have left: objects, unfinished sagas, charges, references to a project, and resources in the
 * simulated cloud.
 */
export async function leftBehind(store: Store): Promise<readonly string[]> {
  const left: string[] = [];
  for (const kind of [...projectKinds, ...allocations, ...simulatedKinds, ReferenceRecord, Saga]) {
    for (const { metadata, spec } of (await store.list(kind)).items)
      if (!isKnobs(spec)) left.push(`${kind.kind} ${metadata.name}`);
  }
  return left;
}

/** The settings of a cloud always stay. */
function isKnobs(spec: object): boolean {
  return 'id' in spec && spec.id === 'knobs';
}
