import type { Kind } from '@unikorn/core/kinds';
import { addReference, ReferenceRecord, removeReference } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';
import { identityKinds } from '@unikorn/identity';
import { Network, SecurityGroup } from '@unikorn/region/kinds';

import { listedReferences, usedKinds } from '../holds/held.fixture.ts';
import type { HoldsDeps } from '../holds/index.ts';
import { ComputeInstance } from '../kinds/index.ts';

export const allocations = identityKinds.filter(({ kind }) => kind === 'Allocation');
export const ledgers = identityKinds.filter(({ kind }) => kind === 'QuotaLedger');

/** Only the kinds for an instance, its charge and its references, because the store is opened many times. */
export const chargedKinds: readonly Kind[] = [
  ComputeInstance,
  Network,
  SecurityGroup,
  ReferenceRecord,
  ...allocations,
  ...ledgers,
  ...identityKinds.filter(({ kind }) => ['Organization', 'Project'].includes(kind)),
];

export const networkId = 'b0000000-0000-4000-8000-000000000001';
export const groupIds = ['c0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000002'] as const;

/** A network with two security groups: all resources that instances use. */
export async function openNetwork(
  store: Store,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
): Promise<void> {
  const label = { [labels.organization]: organizationId, [labels.project]: projectId };
  await store.create(Network, {
    metadata: { name: networkId, labels: label },
    spec: { prefix: '10.0.0.0/24', dnsNameservers: [] },
  });
  for (const name of groupIds)
    await store.create(SecurityGroup, { metadata: { name, labels: label }, spec: { rules: [] } });
}

/** The part of region that sagas need, called directly. */
export function holdingRegion(store: Store, world: World): HoldsDeps['regionClient'] {
  return {
    hold: (_on, { what, id }, holder) =>
      addReference({ store, world }, usedKinds[what], { name: id, labels: { [labels.organization]: 'o' } }, holder),
    letGo: (_on, { what, id }, reference, claim) => removeReference(store, usedKinds[what], id, reference, claim),
    references: listedReferences(store),
  };
}
