import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Resource } from '@unikorn/core/kinds';
import type { Around, StoreCall } from '@unikorn/core/testing';
import { timestamp } from '@unikorn/core/world';

import { seen, startInstances, type Instances } from '../handlers/instances/instances.fixture.ts';

let running: Instances;
let isQuick = false;

/**
 * A controller that is faster than the response: every created object is processed before its creator gets the
 * response.
 */
const quickController: Around = async (call, happen) => {
  const result = await happen();
  if (isQuick && call.verb === 'create' && call.kind.realisation === 'controlled') await lookAt(call);
  return result;
};

async function lookAt({ kind }: StoreCall): Promise<void> {
  const { store, world } = running;
  for (const { metadata } of (await store.list(kind)).items.filter(({ status }: Resource) => status === undefined)) {
    const condition = {
      type: 'Available',
      status: 'False',
      reason: 'Provisioning',
      message: 'at it',
      lastTransitionTime: timestamp(world.now()),
    } as const;
    // The test's own controller may have been faster.
    await store
      .updateStatus(kind, { metadata, status: { conditions: [condition], observedGeneration: metadata.generation } })
      .catch(() => undefined);
  }
}

beforeAll(async () => {
  running = await startInstances({ around: quickController });
  isQuick = true;
});
afterAll(() => running.stop());

describe('the response to a create shows the created object, however fast the controller is', () => {
  const rule = { name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } };
  const placed = () => ({ ...running.scope, regionId: running.regionId });
  const organization = () => `/identity/api/v1/organizations/${running.organizationId}`;
  const creates: Readonly<
    Record<string, () => { readonly path: string; readonly spec: object; readonly token?: string }>
  > = {
    organization: () => ({
      path: '/identity/api/v1/organizations',
      spec: { organizationType: 'adhoc' },
      token: running.operatorToken,
    }),
    project: () => ({ path: `${organization()}/projects`, spec: { groupIDs: [] } }),
    network: () => ({
      path: '/region/api/v2/networks',
      spec: { ...placed(), prefix: '10.9.0.0/24', dnsNameservers: [] },
    }),
    'security group': () => ({
      path: '/region/api/v2/securitygroups',
      spec: { networkId: running.networkId, rules: [] },
    }),
    'load balancer': () => ({
      path: '/region/api/v2/loadbalancers',
      spec: { networkId: running.networkId, listeners: [rule] },
    }),
    instance: () => ({
      path: '/compute/api/v2/instances',
      spec: { ...running.scope, networkId: running.networkId, ...running.wanted },
    }),
  };

  it.each(Object.keys(creates))('%s: pending', async (name) => {
    const { path, spec, token = running.operatorToken } = creates[name]?.() ?? { path: '', spec: {} };
    const answer = await running.request('POST', path, { token, body: { metadata: { name: 'first' }, spec } });
    expect(seen(answer).metadata).toMatchObject({
      name: 'first',
      provisioningStatus: 'pending',
      healthStatus: 'unknown',
    });
  });

  it.each([
    ['group', () => ({ path: `${organization()}/groups`, spec: { userIDs: [], serviceAccountIDs: [], roleIDs: [] } })],
    ['service account', () => ({ path: `${organization()}/serviceaccounts`, spec: { groupIDs: [] } })],
    [
      'SSH certificate authority',
      () => ({
        path: '/region/api/v2/sshcertificateauthorities',
        spec: {
          ...running.scope,
          publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B',
        },
      }),
    ],
  ])('%s: provisioned, because it is complete once it is stored', async (_name, create) => {
    const { path, spec } = create();
    const answer = await running.request('POST', path, {
      token: running.operatorToken,
      body: { metadata: { name: 'first' }, spec },
    });
    expect(seen(answer).metadata).toMatchObject({ name: 'first', provisioningStatus: 'provisioned' });
  });
});
