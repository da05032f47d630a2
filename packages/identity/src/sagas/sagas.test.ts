import { bind, seenState } from '@unikorn/core/saga';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { describeSagas } from '@unikorn/core/testing/saga';

import '../service.ts';

import { Group, OrganizationUser, ServiceAccount } from '../kinds/index.ts';
import { Founder } from '../testing/founder.ts';
import { writeServiceAccountSaga, writeUserSaga } from './index.ts';

const kinds = [OrganizationUser, ServiceAccount, Group];
const organizationId = 'a0000000-0000-4000-8000-000000000009';
const label = { [labels.organization]: organizationId };

/** Everything that a write may change, without times and the id of the run. */
async function snapshot(store: Store): Promise<unknown> {
  const members = [...(await store.list(OrganizationUser)).items, ...(await store.list(ServiceAccount)).items];
  const groups = (await store.list(Group)).items;
  return {
    members: members.map(({ metadata, spec }) => ({
      id: metadata.name,
      labels: metadata.labels,
      description: metadata.annotations?.['description'],
      spec,
    })),
    groups: groups.map(({ metadata, spec }) => ({ id: metadata.name, ...spec })),
  };
}

describeSagas('identity', [
  {
    saga: writeUserSaga,
    kinds,
    setup: async ({ store, world }) => {
      const found = new Founder(store, world);
      await found.group(organizationId, ['reader'], { users: ['other@acme.com', 'jane@acme.com'] });
      const joined = await found.group(organizationId, ['user'], { users: ['other@acme.com'] });
      const kept = await found.group(organizationId, ['user'], { users: ['jane@acme.com'] });
      const id = 'c0000000-0000-4000-8000-000000000009';
      const membership = await store.create(OrganizationUser, {
        metadata: { name: id, labels: label, annotations: { description: 'old' } },
        spec: { subject: 'jane@acme.com', state: 'active' },
      });
      const after = {
        labels: label,
        annotations: { description: 'new' },
        spec: { subject: 'jane@acme.com', state: 'suspended' as const },
      };
      return {
        input: { id, organizationId, before: seenState(membership), after, groupIDs: [joined, kept] },
        bind: (process) => bind(writeUserSaga, process),
        snapshot: () => snapshot(store),
      };
    },
  },
  {
    saga: writeServiceAccountSaga,
    kinds,
    setup: async ({ store, world }) => {
      const found = new Founder(store, world);
      const groupIDs = [await found.group(organizationId, ['reader']), await found.group(organizationId, ['user'])];
      const after = { labels: label, annotations: {}, spec: { tokenDigest: 'd', expiry: '2027-01-01T00:00:00Z' } };
      return {
        input: { id: 'd0000000-0000-4000-8000-000000000009', organizationId, after, groupIDs },
        bind: (process) => bind(writeServiceAccountSaga, process),
        snapshot: () => snapshot(store),
      };
    },
  },
]);
