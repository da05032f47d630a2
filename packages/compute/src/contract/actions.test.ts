import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { seen, startInstances, type Instances } from '../handlers/instances/instances.fixture.ts';

let running: Instances;
beforeAll(async () => {
  running = await startInstances();
});
afterAll(() => running.stop());

const rule = { name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } };

interface Action {
  readonly action: string;
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Returns the answer of the list of actions for a deletion, and the result of the deletion itself. */
async function deletion(path: string, token = running.operatorToken) {
  const actions = (await running.request('GET', `${path}/actions`, { token })).body as readonly Action[];
  const foreseen = actions.find(({ action }) => action === 'delete');
  const answer = await running.request('DELETE', path, { token });
  const refusal =
    answer.status < 400 ? undefined : (answer.body as { readonly error_description: string }).error_description;
  return { foreseen: foreseen?.reason, allowed: foreseen?.allowed, refusal };
}

const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describe('a deletion is refused exactly where it is not allowed, with the same reason', () => {
  it('for resources that an instance uses, and for parents of a protected instance', async () => {
    const [group, authority] = [await running.securityGroup(), await running.authority()];
    const { id } = seen(
      await running.create('user', {
        deletionProtection: true,
        networking: { securityGroups: [group] },
        sshCertificateAuthorityId: authority,
      }),
    ).metadata;
    await running.until(id, 'provisioned');
    const organization = `/identity/api/v1/organizations/${running.organizationId}`;
    const cases: readonly (readonly [string, RegExp])[] = [
      [`/region/api/v2/securitygroups/${group}`, /is in use by instance user/],
      [`/region/api/v2/sshcertificateauthorities/${authority}`, /is in use by instance user/],
      [`/region/api/v2/networks/${running.networkId}`, /because instance user .* is protected/],
      [`/region/api/v2/regions/${running.regionId}`, /is in use by network/],
      [`${organization}/projects/${running.projectId}`, /because instance user .* is protected/],
      [organization, /because instance user .* is protected/],
      [`/compute/api/v2/instances/${id}`, /set spec.deletionProtection to false/],
    ];
    for (const [path, reason] of cases) {
      const told = await deletion(path);
      expect([path, told]).toEqual([path, { allowed: false, foreseen: like(reason), refusal: told.foreseen }]);
    }
  });

  it('for callers whose roles do not allow it, and allowed for callers whose roles do', async () => {
    const organization = `/identity/api/v1/organizations/${running.organizationId}`;
    const { token } = await running.found.robot(running.organizationId, ['auditor']);
    const group = seen(
      await running.request('POST', `${organization}/groups`, {
        token: running.operatorToken,
        body: { metadata: { name: 'g' }, spec: { userIDs: [], serviceAccountIDs: [], roleIDs: [] } },
      }),
    ).metadata.id;
    const balancer = seen(
      await running.request('POST', '/region/api/v2/loadbalancers', {
        token: running.operatorToken,
        body: { metadata: { name: 'b' }, spec: { networkId: running.networkId, listeners: [rule] } },
      }),
    ).metadata.id;
    const account = seen(
      await running.request('POST', `${organization}/serviceaccounts`, {
        token: running.operatorToken,
        body: { metadata: { name: 's' }, spec: { groupIDs: [] } },
      }),
    ).metadata.id;
    const unused = await running.securityGroup('unused');
    for (const [path, endpoint] of [
      [`${organization}/groups/${group}`, 'identity:groups'],
      [`${organization}/serviceaccounts/${account}`, 'identity:serviceaccounts'],
      [`/region/api/v2/securitygroups/${unused}`, 'region:securitygroups:v2'],
      [`/region/api/v2/loadbalancers/${balancer}`, 'region:loadbalancers:v2'],
    ] as const) {
      const reason = `your roles do not allow delete on ${endpoint} here`;
      expect(await deletion(path, token)).toEqual({ allowed: false, foreseen: reason, refusal: reason });
      expect(await deletion(path)).toEqual({ allowed: true, foreseen: undefined, refusal: undefined });
    }
  });
});
