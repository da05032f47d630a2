import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { isWrite, type Around, type StoreCall, together } from '@unikorn/core/testing';

import { LoadBalancer } from '../../kinds/index.ts';
import { startRegion, type RunningRegion } from '../../testing/index.ts';
import { idsOf, openTenant, wire } from '../network-resources.fixture.ts';

const web = { name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } };
const nothing: Around = (_call, happen) => happen();

/** The interposed calls between the services and their store at the moment. */
let between = nothing;
let running: RunningRegion;
beforeAll(async () => {
  running = await startRegion({ around: (call, happen) => between(call, happen) });
});
afterEach(() => {
  between = nothing;
});
afterAll(() => running.stop());

async function opened() {
  const tenant = await openTenant(running);
  const networkId = await tenant.network();
  const create = (spec: object = {}) => tenant.create('loadbalancers', { networkId, listeners: [web], ...spec });
  const change = (id: string, spec: object = {}) =>
    tenant.ask('PUT', `loadbalancers/${id}`, { metadata: { name: 'web' }, spec: { listeners: [web], ...spec } });
  const costs = async () => ({
    loadbalancers: await tenant.charged('loadbalancers'),
    publicips: await tenant.charged('publicips'),
  });
  return { ...tenant, networkId, create, change, costs };
}

/** Fails the matching calls, before or after they took effect. */
function failing(concerns: (call: StoreCall) => boolean, when: 'before' | 'after'): Around {
  return async (call, happen) => {
    const struck = concerns(call);
    if (struck && when === 'before') throw new Problem('storage_unavailable', 'the store cannot be written');
    const answer = await happen();
    if (struck) throw new Problem('storage_unavailable', 'the answer of the store was lost');
    return answer;
  };
}

const puts = (verb: StoreCall['verb']) => (call: StoreCall) => call.verb === verb && call.kind.id === LoadBalancer.id;

describe('a load balancer and its charge', () => {
  it('are changed by one of two concurrent requests, and match afterwards', async () => {
    const { create, change, costs, provisioned } = await opened();
    const { id } = wire(await create()).metadata;
    await provisioned(`loadbalancers/${id}`);
    between = together(LoadBalancer, 2);
    const answers = await Promise.all([change(id, { publicIP: true }), change(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const { publicIP } = (await running.store.get(LoadBalancer, id))?.spec ?? {};
    expect(await costs()).toEqual({ loadbalancers: 1, publicips: publicIP ? 1 : 0 });
  });

  it.each(['before', 'after'] as const)('are not there when storing a new one fails %s its effect', async (when) => {
    const { create, ask, costs } = await opened();
    between = failing(puts('create'), when);
    expect((await create({ publicIP: true })).status).toBe(503);
    between = nothing;
    await running.eventually(costs, ({ loadbalancers, publicips }) => loadbalancers === 0 && publicips === 0);
    expect(idsOf(await ask('GET', 'loadbalancers'))).toEqual([]);
  });

  it.each(['before', 'after'] as const)('are as they were when storing a change fails %s its effect', async (when) => {
    const { create, change, ask, costs, provisioned } = await opened();
    const { id } = wire(await create()).metadata;
    const before = await provisioned(`loadbalancers/${id}`);
    let failed = false;
    between = failing((call) => !failed && puts('update')(call) && (failed = true), when);
    expect((await change(id, { publicIP: true })).status).toBe(503);
    await running.eventually(costs, ({ publicips }) => publicips === 0);
    expect(
      await running.eventually(
        async () => wire(await ask('GET', `loadbalancers/${id}`)),
        ({ status }) => status?.['publicIP'] === undefined,
      ),
    ).toEqual(before);
  });

  it('are created and deleted completely although every third response of the store is lost', async () => {
    const { create, ask, provisioned, gone, costs, cloud, identityOf, networkId } = await opened();
    let writes = 0;
    const { id } = wire(await create({ publicIP: true })).metadata;
    between = failing((call) => isWrite(call) && call.kind.id === LoadBalancer.id && ++writes % 3 === 0, 'after');
    await provisioned(`loadbalancers/${id}`);
    await ask('DELETE', `loadbalancers/${id}`);
    await gone(`loadbalancers/${id}`);
    expect(await costs()).toEqual({ loadbalancers: 0, publicips: 0 });
    expect(await cloud.loadBalancers.list(await identityOf(networkId))).toEqual([]);
  });
});
