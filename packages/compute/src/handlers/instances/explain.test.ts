import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import { Server } from '@unikorn/region/client';
import type { Knobs } from '@unikorn/region/providers/simulated';

import type { Explanation } from '../../explain/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { linkTag } from '../../link/index.ts';
import { debianImage, standardFlavor } from '../../testing/index.ts';
import { nowhere, seen, startInstances, type Instances } from './instances.fixture.ts';

describe('why an instance is as it is', () => {
  let compute: Instances;
  let count = 0;

  beforeAll(async () => {
    compute = await startInstances();
  });
  afterEach(() => turn({ places: {}, serversPerIdentity: 1_000, service: 'up', buildFailureRate: 0, call_ms: 0, build_ms: 0 }));
  afterAll(() => compute.stop());

  const turn = (knobs: Partial<Knobs>) => compute.operator(compute.regionId).turn(knobs);
  const explained = async (id: string) => (await compute.ask('GET', `/${id}/explain`)).body as Explanation;
  const made = async (spec?: object) => seen(await compute.create(`explained-${++count}`, spec)).metadata.id;
  const identityOf = async (id: string) => (await compute.store.get(Server, id))?.metadata.labels?.[labels.identity] ?? '';
  /** The deepest blocker, once it is of this kind and state. */
  const blocker = async (id: string, kind: string, state: string) => {
    const { nodes: [first] } = await compute.eventually(() => explained(id), ({ nodes }) => nodes[0]?.kind === kind && nodes[0].state === state);
    return first;
  };

  it('an instance that is as it should be has nothing in its way, and says what it stands on', async () => {
    const id = await made({ networking: { securityGroups: [await compute.securityGroup()] }, sshCertificateAuthorityId: await compute.authority() });
    await compute.until(id, 'provisioned');
    const { ready, nodes } = await explained(id);
    expect(ready).toBe(true);
    expect(nodes.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['cloudIdentity ready', 'network ready', 'securityGroup ready', 'sshCertificateAuthority ready', 'providerResource ready', 'machine ready', 'quota ready', 'instance ready']);
    expect(nodes.find(({ kind }) => kind === 'securityGroup')).toMatchObject({ name: 'web' });
  });

  it('no capacity', async () => {
    await turn({ places: { [standardFlavor]: 0 } });
    const id = await made();
    expect(await blocker(id, 'providerResource', 'failed')).toMatchObject({
      message: expect.stringContaining('all places for') as unknown,
      since: expect.any(String) as unknown,
      attempts: 1,
      nextRetry: expect.any(String) as unknown,
      unblockedBy: expect.stringContaining('asked again by itself') as unknown,
    });
    await compute.eventually(() => explained(id), ({ nodes: [first] }) => first?.attempts === 2);
    expect((await explained(id)).nodes.map(({ kind, state }) => `${kind} ${state}`).slice(0, 3)).toEqual(['providerResource failed', 'machine failed', 'instance failed']);
    await turn({ places: {} });
    await compute.until(id, 'provisioned');
    expect((await explained(id)).ready).toBe(true);
  });

  it('the quota of the cloud', async () => {
    await turn({ serversPerIdentity: 0 });
    expect(await blocker(await made(), 'providerResource', 'failed')).toMatchObject({ message: expect.stringContaining('the cloud allows 0 servers') as unknown });
  });

  it('an outage', async () => {
    await turn({ build_ms: 60_000 });
    const id = await made();
    await turn({ service: 'down' });
    const first = await compute.eventually(() => explained(id), ({ nodes }) => nodes[0]?.message.includes('out of service') ?? false);
    expect(first.nodes[0]).toMatchObject({ kind: 'providerResource', state: 'progressing', unblockedBy: expect.stringContaining('every few seconds') as unknown });
    await turn({ service: 'up', build_ms: 0 });
    await compute.until(id, 'provisioned');
  });

  it('builds that failed until they were given up', async () => {
    await turn({ buildFailureRate: 1 });
    const id = await made();
    const first = await blocker(id, 'providerResource', 'failed');
    expect(first).toMatchObject({ reason: 'GivenUp', unblockedBy: expect.stringContaining('update the instance') as unknown });
    expect(first?.attempts).toBeGreaterThan(1);
  });

  it('an image that went while the instance waited for room', async () => {
    await turn({ places: { [standardFlavor]: 0 } });
    const id = await made();
    await blocker(id, 'providerResource', 'failed');
    await modify(compute.store, ComputeInstance, id, (instance) => ({ ...instance, spec: { ...instance.spec, imageId: nowhere } }));
    await turn({ places: {} });
    const { nodes } = await compute.eventually(() => explained(id), ({ nodes: [first] }) => first?.message.includes('image') ?? false);
    expect(nodes[0]).toMatchObject({ state: 'failed', unblockedBy: expect.any(String) as unknown });
  });

  it('a network that is not ready, which everything else waits for', async () => {
    await turn({ service: 'down' });
    const networkId = seen(await compute.request('POST', '/region/api/v2/networks', { body: { metadata: { name: 'late' }, spec: { ...compute.scope, regionId: compute.regionId, prefix: '10.1.0.0/16', dnsNameservers: [] } } })).metadata.id;
    await turn({ service: 'up', call_ms: 2_000 });
    const id = await made({ networkId });
    const { nodes } = await compute.eventually(() => explained(id), ({ nodes: [first] }) => first?.kind === 'cloudIdentity' || first?.kind === 'network');
    const kinds = nodes.filter(({ state }) => state !== 'ready').map(({ kind }) => kind);
    expect(kinds.indexOf('network')).toBeLessThan(kinds.indexOf('instance'));
    expect(kinds).toContain('network');
    await compute.until(id, 'provisioned');
  });

  it('a deletion that is held up', async () => {
    const id = await made();
    await compute.until(id, 'provisioned');
    await turn({ service: 'down' });
    await compute.ask('DELETE', `/${id}`);
    const { nodes } = await compute.eventually(() => explained(id), ({ nodes: [first] }) => first?.message.includes('out of service') ?? false);
    expect(nodes.slice(0, 3).map(({ kind, state }) => `${kind} ${state}`)).toEqual(['providerResource deleting', 'machine deleting', 'instance deleting']);
    expect(nodes[0]?.since).toBeDefined();
    await turn({ service: 'up' });
    await compute.gone(id);
  });

  it('a machine that the cloud no longer shows', async () => {
    const id = await made();
    await compute.until(id, 'provisioned');
    await compute.operator(compute.regionId).drift(await identityOf(id), id, 'deleted');
    const first = await blocker(id, 'providerResource', 'missing');
    expect(first).toMatchObject({ reason: 'NotShown', unblockedBy: expect.stringContaining('without its disk') as unknown });
    await compute.until(id, 'provisioned');
  });

  it('a machine whose host failed', async () => {
    const id = await made();
    await compute.until(id, 'provisioned');
    await compute.operator(compute.regionId).drift(await identityOf(id), id, 'failed');
    const { ready, nodes } = await compute.eventually(() => explained(id), ({ nodes: [first] }) => first?.message.includes('host of the machine failed') ?? false);
    expect(ready).toBe(false);
    expect(nodes[0]).toMatchObject({ kind: 'providerResource', unblockedBy: expect.any(String) as unknown });
  });

  it('a pause', async () => {
    const id = await made();
    await compute.until(id, 'provisioned');
    await modify(compute.store, ComputeInstance, id, (instance) => ({ ...instance, spec: { ...instance.spec, pause: true, imageId: debianImage } }));
    expect(await blocker(id, 'instance', 'paused')).toMatchObject({ unblockedBy: 'an operator resumes it' });
  });

  it('several machines that claim to be the instance\'s', async () => {
    const id = await made();
    await compute.until(id, 'provisioned');
    const on = { principal: compute.scope, impersonate: false };
    await compute.toRegion.createServer(on, { metadata: { name: 'impostor', tags: [{ name: linkTag, value: id }] }, spec: { ...compute.wanted, networkId: compute.networkId } });
    const { nodes } = await explained(id);
    expect(nodes.slice(0, 2)).toMatchObject([{ kind: 'machine', reason: 'Ambiguous', unblockedBy: 'an operator deletes the wrong ones' }, { kind: 'machine', reason: 'Ambiguous' }]);
  });

  it('is told to whoever may read the instance', async () => {
    const id = await made();
    const stranger = await compute.found.robot(await compute.found.organization(), ['administrator']);
    const outsider = await compute.found.robot(compute.organizationId, ['reader']);
    const ask = async (token: string) => (await compute.call('GET', `/api/v2/instances/${id}/explain`, { token })).status;
    expect([await ask(compute.token), await ask(outsider.token), await ask(stranger.token)]).toEqual([200, 403, 404]);
  });
});
