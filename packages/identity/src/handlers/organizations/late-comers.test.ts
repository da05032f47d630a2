import { afterEach, expect, it } from 'vitest';

import type { Kind } from '@unikorn/core/kinds';

import { platformAccountId, platformToken } from '../../platform.ts';
import { Group, OAuth2Provider, Organization, OrganizationUser, ServiceAccount } from '../../kinds/index.ts';
import { startIdentity, type RunningIdentity } from '../../testing/index.ts';

let running: RunningIdentity | undefined;

afterEach(() => running?.stop());

const group = { metadata: { name: 'late' }, spec: { serviceAccountIDs: [], roleIDs: [] } };
const user = { spec: { subject: 'late@example.com', state: 'active', groupIDs: [] } };
const account = { metadata: { name: 'late' }, spec: { groupIDs: [] } };
const provider = {
  metadata: { name: 'late' },
  spec: { issuer: 'https://login.example.com', clientID: 'c', clientSecret: 's' },
};

it.each<[string, Kind, object]>([
  ['groups', Group, group],
  ['users', OrganizationUser, user],
  ['serviceaccounts', ServiceAccount, account],
  ['oauth2providers', OAuth2Provider, provider],
])(
  'one of the %s that is stored at the moment of the deletion of its organization is deleted too',
  async (path, kind, body) => {
    let organizationId = '';
    const identity = await startIdentity({
      configuration: { globalBindings: { [platformAccountId]: ['platform-administrator'] } },
      around: async (call, happen) => {
        if (call.verb === 'create' && call.kind === kind) {
          const doomed = await identity.store.get(Organization, organizationId);
          if (doomed)
            await identity.store.update(Organization, { ...doomed, metadata: { ...doomed.metadata, finalizers: [] } });
          await identity.store.delete(Organization, organizationId);
        }
        return happen();
      },
    });
    running = identity;
    organizationId = await identity.found.organization();
    const token = await platformToken(identity);
    await identity.call('POST', `/api/v1/organizations/${organizationId}/${path}`, { token, body });
    await identity.world.until(
      async () =>
        (
          await identity.store.list(kind, {
            selector: [{ key: 'unikorn-cloud.org/organization', operator: 'in', values: [organizationId] }],
          })
        ).items.length === 0,
    );
    expect(await identity.store.get(Organization, organizationId)).toBeUndefined();
  },
);
