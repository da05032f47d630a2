import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import type { Explanation, ExplanationNode } from '@unikorn/core/explain';
import { labels } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import { Network, SecurityGroup, Server, SSHCertificateAuthority } from '@unikorn/region/kinds';
import type { Knobs } from '@unikorn/region/providers/simulated';

import { ComputeInstance } from '../../kinds/index.ts';
import { explain, gather } from '../../explain/index.ts';
import { linkTag, listedClaimants } from '../../link/index.ts';
import { debianImage, gpuFlavor, standardFlavor, ubuntuImage } from '../../testing/index.ts';
import { mentioning, seen, startInstances, type Instances, type Seen } from './instances.fixture.ts';

const calm: Partial<Knobs> = {
  places: {},
  serversPerIdentity: 1_000,
  service: 'up',
  buildFailureRate: 0,
  errorRate: 0,
  notFoundRate: 0,
  call_ms: 0,
  build_ms: 0,
  delete_ms: 0,
};

/** The calls of compute that fail, and how. */
type Faults = Partial<Record<'server' | 'explainServer' | 'createServer' | 'updateServer' | 'release', Error>>;

interface Situation {
  readonly state: string;
  /** Creates the situation, and returns the instance. */
  readonly make: () => Promise<string>;
  /** The root cause. */
  readonly first: Pick<ExplanationNode, 'kind' | 'state' | 'reason'> & {
    readonly message: unknown;
    readonly unblockedBy: unknown;
  };
  /** Whether a failure is retried automatically, nothing fails, or an operator must act. */
  readonly tried: 'again' | 'never' | 'unneeded';
  /** `down`: the region is the root cause, and `first` comes after it. */
  readonly cloud?: 'down';
}

describe('why an instance is in its state', () => {
  let compute: Instances;
  let count = 0;
  let faults: Faults = {};
  const unlessFaulty = <T>(call: keyof Faults, ask: () => Promise<T>): Promise<T> => {
    const fault = faults[call];
    return fault ? Promise.reject(fault) : ask();
  };

  beforeAll(async () => {
    compute = await startInstances({
      regionClient: (regionClient) => ({
        ...regionClient,
        server: (on, id) => unlessFaulty('server', () => regionClient.server(on, id)),
        explainServer: (on, id) => unlessFaulty('explainServer', () => regionClient.explainServer(on, id)),
        createServer: (on, body) => unlessFaulty('createServer', () => regionClient.createServer(on, body)),
        updateServer: (on, id, body) => unlessFaulty('updateServer', () => regionClient.updateServer(on, id, body)),
      }),
      identityClient: (identityClient) => ({
        ...identityClient,
        release: (principal, scope, resource) =>
          unlessFaulty('release', () => identityClient.release(principal, scope, resource)),
      }),
    });
    // A cloud whose catalogue is cached can be down when an instance is requested.
    await made();
  });
  afterEach(async () => {
    faults = {};
    await turn(calm);
    await clear();
  });
  afterAll(() => compute.stop());

  const turn = (knobs: Partial<Knobs>) => compute.operator(compute.regionId).turn(knobs);
  const explained = async (id: string) => (await compute.ask('GET', `/${id}/explain`)).body as Explanation;
  const begun = async (spec?: object) => seen(await compute.create(`explained-${++count}`, spec)).metadata.id;
  const made = async (spec?: object) => {
    const id = await begun(spec);
    await compute.until(id, 'provisioned');
    return id;
  };
  const deleted = async (id: string) => {
    await compute.ask('DELETE', `/${id}`);
    return id;
  };
  const changed = async (id: string, spec: object) => {
    await compute.update(id, (await compute.read(id)).metadata.name, spec);
    return id;
  };
  const drifted = async (id: string, drift: 'deleted' | 'stopped' | 'failed') => {
    const server = await compute.store.get(Server, id);
    await compute.operator(compute.regionId).drift(server?.metadata.labels?.[labels.identity] ?? '', id, drift);
    return id;
  };
  /** Removes an object from the store that is still in use, as after a restore of an old backup. */
  const forgotten = async (kind: typeof SecurityGroup | typeof SSHCertificateAuthority, id: string) => {
    await compute.store.delete(kind, id);
    await modify(compute.store, kind, id, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    })).catch(() => undefined);
  };
  /** Every situation has its own cloud. */
  const clear = async () => {
    const { items } = await compute.store.list(ComputeInstance);
    for (const { metadata } of items) await deleted(metadata.name);
    for (const server of (await compute.store.list(Server)).items)
      await compute.store.delete(Server, server.metadata.name);
    await compute.eventually(
      () => compute.store.list(Server),
      (left) => left.items.length === 0,
    );
    await compute.eventually(
      () => compute.store.list(ComputeInstance),
      (left) => left.items.length === 0,
    );
  };
  const lateNetwork = async () =>
    seen(
      await compute.request('POST', '/region/api/v2/networks', {
        body: {
          metadata: { name: `late-${++count}` },
          spec: { ...compute.scope, regionId: compute.regionId, prefix: '10.1.0.0/16', dnsNameservers: [] },
        },
      }),
    ).metadata.id;

  const situations: readonly Situation[] = [
    {
      state: 'its network waits for a cloud that is out of service',
      cloud: 'down',
      make: async () => {
        await turn({ service: 'down' });
        return begun({ networkId: await lateNetwork() });
      },
      first: {
        kind: 'cloudIdentity',
        state: 'retrying',
        reason: 'Provisioning',
        message: mentioning('out of service'),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'its network is being changed in a cloud that is out of service',
      cloud: 'down',
      make: async () => {
        const networkId = await compute.openNetwork(`changing-${++count}`);
        await turn({ service: 'down' });
        await modify(compute.store, Network, networkId, (network) => ({
          ...network,
          spec: { ...network.spec, dnsNameservers: ['9.9.9.9'] },
        }));
        return begun({ networkId });
      },
      first: {
        kind: 'network',
        state: 'retrying',
        reason: 'Provisioning',
        message: mentioning('out of service'),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'its machine is being built',
      make: async () => {
        await turn({ build_ms: 60_000 });
        return begun();
      },
      first: {
        kind: 'providerResource',
        state: 'progressing',
        reason: 'Provisioning',
        message: 'the machine is being built',
        unblockedBy: mentioning('automatically'),
      },
      tried: 'unneeded',
    },
    {
      state: 'the cloud goes out of service while its machine is built',
      cloud: 'down',
      make: async () => {
        await turn({ build_ms: 60_000 });
        const id = await begun();
        await compute.world.advance(10_000);
        await turn({ service: 'down' });
        return id;
      },
      first: {
        kind: 'providerResource',
        state: 'retrying',
        reason: 'Provisioning',
        message: mentioning('out of service'),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'the cloud fails every call',
      make: async () => {
        await turn({ errorRate: 1 });
        return begun();
      },
      first: {
        kind: 'providerResource',
        state: 'retrying',
        reason: 'Provisioning',
        message: expect.any(String),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'the cloud has no room',
      make: async () => {
        await turn({ places: { [standardFlavor]: 0 } });
        return begun();
      },
      first: {
        kind: 'providerResource',
        state: 'failed',
        reason: 'Errored',
        message: mentioning('the cloud has no capacity for another'),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'the cloud allows no more',
      make: async () => {
        await turn({ serversPerIdentity: 0 });
        return begun();
      },
      first: {
        kind: 'providerResource',
        state: 'failed',
        reason: 'Errored',
        message: mentioning('the cloud allows 0 servers'),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'its builds failed until they were given up',
      make: async () => {
        await turn({ buildFailureRate: 1 });
        return begun();
      },
      first: {
        kind: 'providerResource',
        state: 'failed',
        reason: 'GivenUp',
        message: expect.any(String),
        unblockedBy: mentioning('update the instance'),
      },
      tried: 'never',
    },
    {
      state: 'its region refuses to make its machine',
      make: () => {
        faults = { createServer: new Problem('unprocessable_content', 'spec.imageId: the image is gone') };
        return begun();
      },
      first: {
        kind: 'machine',
        state: 'failed',
        reason: 'Errored',
        message: 'spec.imageId: the image is gone',
        unblockedBy: mentioning('update the instance'),
      },
      tried: 'again',
    },
    {
      state: 'its region refuses a change of its machine',
      make: async () => {
        const id = await made();
        faults = { updateServer: new Problem('unprocessable_content', 'spec.networking: not here') };
        return changed(id, { networking: { publicIP: true } });
      },
      first: {
        kind: 'machine',
        state: 'failed',
        reason: 'Errored',
        message: 'spec.networking: not here',
        unblockedBy: mentioning('update the instance'),
      },
      tried: 'again',
    },
    {
      state: 'its region cannot be reached',
      make: () => {
        faults = { server: new Problem('server_error', 'region does not answer') };
        return begun();
      },
      first: {
        kind: 'region',
        state: 'retrying',
        reason: 'Unreachable',
        message: mentioning('region does not answer'),
        unblockedBy: mentioning('wait until its region answers'),
      },
      tried: 'again',
    },
    {
      state: 'its region cannot be asked for an explanation',
      make: async () => {
        const id = await made();
        faults = { explainServer: new Problem('unavailable', 'region does not answer') };
        return id;
      },
      first: {
        kind: 'region',
        state: 'degraded',
        reason: 'Unreachable',
        message: 'region does not answer',
        unblockedBy: mentioning('wait until its region answers'),
      },
      tried: 'unneeded',
    },
    {
      state: 'something unexpected happens',
      make: async () => {
        const id = await made();
        faults = { updateServer: new Error('password=hunter2') };
        return changed(id, { networking: { publicIP: true } });
      },
      first: {
        kind: 'instance',
        state: 'failed',
        reason: 'Errored',
        message: 'an unexpected error occurred',
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'its disk is being replaced',
      make: async () => {
        const id = await made();
        await turn({ build_ms: 60_000 });
        return changed(id, { imageId: debianImage });
      },
      first: {
        kind: 'providerResource',
        state: 'progressing',
        reason: 'Rebuilding',
        message: mentioning(debianImage),
        unblockedBy: mentioning('automatically'),
      },
      tried: 'unneeded',
    },
    {
      state: 'there is no room for the machine that replaces its own',
      make: async () => {
        const id = await made();
        await turn({ places: { [gpuFlavor]: 0 } });
        return changed(id, { flavorId: gpuFlavor });
      },
      first: {
        kind: 'providerResource',
        state: 'failed',
        reason: 'Errored',
        message: mentioning('the cloud has no capacity for another'),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'its security group is gone',
      make: async () => {
        await turn({ service: 'down' });
        const group = await compute.securityGroup();
        const id = await begun({ networking: { securityGroups: [group] } });
        await forgotten(SecurityGroup, group);
        await turn(calm);
        return id;
      },
      first: {
        kind: 'securityGroup',
        state: 'missing',
        reason: 'DependencyNotFound',
        message: 'it does not exist',
        unblockedBy: mentioning('remove the security group'),
      },
      tried: 'never',
    },
    {
      state: 'its certificate authority is gone',
      cloud: 'down',
      make: async () => {
        await turn({ service: 'down' });
        const authority = await compute.authority();
        const id = await begun({ sshCertificateAuthorityId: authority });
        await forgotten(SSHCertificateAuthority, authority);
        return id;
      },
      first: {
        kind: 'sshCertificateAuthority',
        state: 'missing',
        reason: 'DependencyNotFound',
        message: 'it does not exist',
        unblockedBy: mentioning('another authority'),
      },
      tried: 'never',
    },
    {
      state: 'its machine was stopped in the cloud',
      make: async () => drifted(await made(), 'stopped'),
      first: {
        kind: 'providerResource',
        state: 'degraded',
        reason: 'Degraded',
        message: 'the machine is stopped',
        unblockedBy: mentioning('start the instance'),
      },
      tried: 'never',
    },
    {
      state: 'the host of its machine failed',
      make: async () => drifted(await made(), 'failed'),
      first: {
        kind: 'providerResource',
        state: 'degraded',
        reason: 'Errored',
        message: 'the host of the machine failed',
        unblockedBy: mentioning('rebuild it with another image'),
      },
      tried: 'never',
    },
    {
      state: 'the state of its machine is not known',
      cloud: 'down',
      make: async () => {
        const id = await made();
        await turn({ service: 'down' });
        return id;
      },
      first: {
        kind: 'providerResource',
        state: 'degraded',
        reason: 'Unknown',
        message: expect.any(String),
        unblockedBy: mentioning('searched for automatically'),
      },
      tried: 'unneeded',
    },
    {
      state: 'the cloud does not show its machine',
      make: async () => drifted(await made(), 'deleted'),
      first: {
        kind: 'providerResource',
        state: 'missing',
        reason: 'NotShown',
        message: mentioning('does not show the machine'),
        unblockedBy: mentioning('without its disk'),
      },
      tried: 'again',
    },
    {
      state: 'its region misses implausibly many machines',
      make: async () => {
        const ids = [await made(), await made(), await made(), await made()];
        for (const id of ids) await compute.store.delete(Server, id);
        return ids[0] ?? '';
      },
      first: {
        kind: 'machine',
        state: 'missing',
        reason: 'Lost',
        message: mentioning('found'),
        unblockedBy: mentioning('without its disk'),
      },
      tried: 'again',
    },
    {
      state: 'an operator paused it',
      make: async () => {
        const id = await made();
        await modify(compute.store, ComputeInstance, id, (instance) => ({
          ...instance,
          spec: { ...instance.spec, pause: true, imageId: debianImage },
        }));
        return id;
      },
      first: {
        kind: 'instance',
        state: 'paused',
        reason: 'Paused',
        message: mentioning('an operator paused it'),
        unblockedBy: 'the platform operator must resume it',
      },
      tried: 'never',
    },
    {
      state: 'several machines claim to be its own',
      make: async () => {
        const id = await made();
        const on = { principal: compute.scope, impersonate: false };
        await compute.toRegion.createServer(on, {
          metadata: { name: `impostor-${++count}`, tags: [{ name: linkTag, value: id }] },
          spec: { ...compute.wanted, networkId: compute.networkId },
        });
        return id;
      },
      first: {
        kind: 'machine',
        state: 'failed',
        reason: 'Ambiguous',
        message: mentioning('none of them is changed'),
        unblockedBy: 'the platform operator must delete the wrong ones',
      },
      tried: 'never',
    },
    {
      state: 'a machine without an instance has its name',
      make: async () => {
        const name = `explained-${count + 1}`;
        await compute.toRegion.createServer(
          { principal: compute.scope, impersonate: false },
          { metadata: { name }, spec: { ...compute.wanted, networkId: compute.networkId } },
        );
        return begun();
      },
      first: {
        kind: 'machine',
        state: 'failed',
        reason: 'Occupied',
        message: mentioning('does not belong to the instance'),
        unblockedBy: mentioning('choose another name'),
      },
      tried: 'never',
    },
    {
      state: 'it is deleted, and the cloud is slow',
      make: async () => {
        const id = await made();
        await turn({ delete_ms: 60_000 });
        return deleted(id);
      },
      first: {
        kind: 'providerResource',
        state: 'deleting',
        reason: 'Deprovisioning',
        message: expect.any(String),
        unblockedBy: mentioning('wait until the cloud has deleted it'),
      },
      tried: 'unneeded',
    },
    {
      state: 'its network is being deleted together with it',
      make: async () => {
        const networkId = await compute.openNetwork(`leaving-${++count}`);
        const id = await made({ networkId });
        await turn({ delete_ms: 60_000 });
        await compute.store.delete(Network, networkId, { propagation: 'foreground' });
        return id;
      },
      first: {
        kind: 'providerResource',
        state: 'deleting',
        reason: 'Deprovisioning',
        message: expect.any(String),
        unblockedBy: mentioning('wait until the cloud has deleted it'),
      },
      tried: 'unneeded',
    },
    {
      state: 'it is deleted, and the cloud is out of service',
      cloud: 'down',
      make: async () => {
        const id = await made();
        await turn({ service: 'down' });
        return deleted(id);
      },
      first: {
        kind: 'providerResource',
        state: 'deleting',
        reason: 'Deprovisioning',
        message: mentioning('out of service'),
        unblockedBy: mentioning('retried automatically'),
      },
      tried: 'again',
    },
    {
      state: 'it is deleted, and its region cannot be reached',
      make: async () => {
        const id = await made();
        faults = { server: new Problem('server_error', 'region does not answer') };
        return deleted(id);
      },
      first: {
        kind: 'region',
        state: 'retrying',
        reason: 'Unreachable',
        message: mentioning('region does not answer'),
        unblockedBy: mentioning('wait until its region answers'),
      },
      tried: 'again',
    },
    {
      state: 'it is deleted, and its quota cannot be released',
      make: async () => {
        const id = await made();
        faults = { release: new Problem('server_error', 'the ledger does not answer') };
        return deleted(id);
      },
      first: {
        kind: 'quota',
        state: 'retrying',
        reason: 'NotReleased',
        message: mentioning('the ledger does not answer'),
        unblockedBy: mentioning('released automatically'),
      },
      tried: 'again',
    },
  ];

  it.each(situations)('$state', async ({ make, first, tried, cloud }) => {
    const id = await make();
    const begun_ms = compute.world.now() - 5_000;
    // A cloud that is out of service is the cause of everything else.
    const problemOf = ({ nodes: [cause, effect] }: Explanation) => (cloud === 'down' ? effect : cause);
    const matches = (explanation: Explanation) => {
      const node = problemOf(explanation);
      return (
        node?.kind === first.kind &&
        node.state === first.state &&
        node.reason === first.reason &&
        (tried !== 'again' || node.attempts !== undefined)
      );
    };
    const explanation = await compute.eventually(() => explained(id), matches);
    const { ready, summary, nodes } = explanation;
    const node = problemOf(explanation);
    expect(node).toMatchObject(first);
    if (cloud === 'down')
      expect(nodes[0]).toMatchObject({
        kind: 'region',
        state: 'degraded',
        reason: 'Unreachable',
        message: mentioning('out of service'),
        unblockedBy: mentioning('wait until its region answers'),
      });
    expect({ ready, summary: summary.endsWith(nodes[0]?.message ?? '?') }).toEqual({ ready: false, summary: true });
    if (tried !== 'again') {
      expect(node?.nextRetry).toBeUndefined();
      return;
    }
    expect(Date.parse(node?.since ?? '')).toBeGreaterThanOrEqual(begun_ms);
    expect(Date.parse(node?.nextRetry ?? '')).toBeGreaterThan(compute.world.now() - 1_000);
    const before = node?.attempts ?? 0;
    await compute.eventually(
      () => explained(id),
      (later) => problemOf(later)?.kind === first.kind && (problemOf(later)?.attempts ?? 0) > before,
      300_000,
    );
  });

  it('a ready instance has no problems, and shows the resources that it needs', async () => {
    const id = await made({
      networking: { securityGroups: [await compute.securityGroup()] },
      sshCertificateAuthorityId: await compute.authority(),
    });
    const { ready, nodes } = await explained(id);
    expect(ready).toBe(true);
    expect(nodes.map(({ kind, state }) => `${kind} ${state}`)).toEqual(
      [
        'region',
        'cloudIdentity',
        'network',
        'securityGroup',
        'sshCertificateAuthority',
        'providerResource',
        'machine',
        'quota',
        'instance',
      ].map((kind) => `${kind} ready`),
    );
    expect(nodes.find(({ kind }) => kind === 'securityGroup')).toMatchObject({ name: 'web' });
  });

  it('a blocked node comes after the node that blocks it', async () => {
    await turn({ places: { [standardFlavor]: 0 } });
    const id = await begun();
    const { nodes } = await compute.eventually(
      () => explained(id),
      ({ nodes: [, , third] }) => third?.state === 'failed',
    );
    expect(nodes.slice(0, 3).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'providerResource failed',
      'machine failed',
      'instance failed',
    ]);
    await turn({ places: {} });
    await compute.until(id, 'provisioned');
    expect((await explained(id)).ready).toBe(true);
  });

  it('the loss of a disk is shown also after the instance is ready again', async () => {
    const id = await drifted(await made(), 'deleted');
    await compute.eventually(
      () => compute.read(id),
      ({ metadata, status }) => status['diskLostAt'] !== undefined && metadata.provisioningStatus === 'provisioned',
      600_000,
    );
    expect(await explained(id)).toMatchObject({ ready: true, summary: mentioning('recreated without its disk') });
  });

  it('shows only the existence of resources that the caller may not read', async () => {
    const id = await made({ networking: { securityGroups: [await compute.securityGroup('secret-group')] } });
    const instance = await compute.store.get(ComputeInstance, id);
    if (!instance) throw new Error(`there is no instance ${id}`);
    const deps = { regionClient: compute.toRegion, claimants: listedClaimants(compute.toRegion) };
    const { nodes } = explain(await gather(deps, instance, {}));
    expect(nodes.find(({ kind }) => kind === 'securityGroup')).toMatchObject({
      state: 'ready',
      message: 'your roles do not allow you to read more about it',
    });
    expect(JSON.stringify(nodes)).not.toContain('secret-group');
  });

  it('has edges from the instance down to the region', async () => {
    const id = await made();
    const { nodes } = await explained(id);
    const reached = new Set(['instance']);
    for (const kind of reached)
      for (const node of nodes) if (node.kind === kind) for (const needed of node.dependsOn) reached.add(needed.kind);
    expect([...reached].toSorted()).toEqual(nodes.map(({ kind }) => kind).toSorted());
  });

  it('is part of the explanation of a snapshot, until that is ready', async () => {
    const id = await made();
    await turn({ image_ms: 60_000 });
    const image = seen(await compute.ask('POST', `/${id}/snapshot`, { metadata: { name: 'copy' }, spec: {} })).metadata
      .id;
    const path = `/region/api/v1/organizations/${compute.organizationId}/regions/${compute.regionId}/images/${image}`;
    const look = async () => (await compute.request('GET', `${path}/explain`)).body as Explanation;
    const source = { kind: 'source', id };
    expect((await look()).nodes).toMatchObject([
      { kind: 'image', name: 'copy', state: 'progressing', dependsOn: [{ kind: 'region' }, source] },
      { kind: 'region' },
      { ...source, name: (await compute.read(id)).metadata.name, state: 'ready' },
    ]);
    await turn({ image_ms: 0 });
    const { nodes } = await compute.eventually(look, ({ ready }) => ready);
    expect(nodes.map(({ kind }) => kind)).toEqual(['region', 'image']);
  });

  it('is returned to callers who may read the instance', async () => {
    const id = await begun();
    const stranger = await compute.found.robot(await compute.found.organization(), ['administrator']);
    const outsider = await compute.found.robot(compute.organizationId, ['reader']);
    const ask = async (token: string) =>
      (await compute.call('GET', `/api/v2/instances/${id}/explain`, { token })).status;
    expect([await ask(compute.token), await ask(outsider.token), await ask(stranger.token)]).toEqual([200, 403, 404]);
  });

  it('is always complete, whatever the cloud does', async () => {
    const storms: readonly Partial<Knobs>[] = [
      { service: 'down' },
      { errorRate: 0.5 },
      { places: { [standardFlavor]: 1 } },
      { buildFailureRate: 0.7 },
      { build_ms: 20_000 },
      { delete_ms: 20_000 },
      { notFoundRate: 0.5 },
      calm,
    ];
    const draw = (most: number) => Math.floor(compute.world.random() * most);
    const ids = [await begun(), await begun()];
    for (let step = 0; step < 60; step++) {
      await turn({ ...calm, ...storms[draw(storms.length)] });
      const [id = ''] = ids.slice(draw(ids.length));
      const deeds: readonly (() => Promise<unknown>)[] = [
        async () => ids.push(await begun()),
        () => changed(id, { imageId: draw(2) === 0 ? debianImage : ubuntuImage }),
        () => changed(id, { flavorId: draw(2) === 0 ? gpuFlavor : standardFlavor }),
        () => deleted(id),
        () => Promise.resolve(),
      ];
      // Refused operations, and operations on deleted objects, are skipped.
      await deeds[draw(deeds.length)]?.().catch(() => undefined);
      await compute.world.advance(draw(15_000));
      for (const { metadata } of (await compute.ask('GET')).body as readonly Seen[]) await expectExplained(metadata);
    }
  });

  /** Everything that is not ready has a reason and a remedy and, if it failed, a count and a time. */
  const expectExplained = async ({ id, provisioningStatus }: Seen['metadata']) => {
    const { ready, summary, nodes } = await explained(id);
    if (provisioningStatus !== 'provisioned') expect(ready, summary).toBe(false);
    if (!ready) expect(nodes[0]?.state).not.toBe('ready');
    for (const node of nodes.filter(({ state }) => state !== 'ready')) {
      expect([node.reason, node.message, node.unblockedBy ?? ''], JSON.stringify(node)).not.toContain('');
      if (node.state === 'retrying')
        expect(node).toMatchObject({
          attempts: expect.any(Number) as unknown,
          nextRetry: expect.any(String) as unknown,
        });
    }
  };
});

it('an instance that no controller has processed yet is explained, too', async () => {
  const compute = await startInstances({ controllers: 'asleep' });
  const {
    metadata: { id },
  } = seen(await compute.create('fresh'));
  const { ready, nodes } = (await compute.ask('GET', `/${id}/explain`)).body as Explanation;
  expect(ready).toBe(false);
  expect(nodes.slice(0, 2)).toMatchObject([
    {
      kind: 'machine',
      state: 'missing',
      reason: 'NotCreated',
      message: 'its machine is not created yet',
      unblockedBy: mentioning('created automatically'),
    },
    { kind: 'instance', state: 'progressing', reason: 'Pending' },
  ]);
  await compute.stop();
});
