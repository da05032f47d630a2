import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openEventStream, type EventStream } from '@unikorn/core/testing';

import { idsOf, mentioning, seen, startInstances, type Instances } from './instances.fixture.ts';

let compute: Instances;
const ids: Record<string, string> = {};
beforeAll(async () => {
  compute = await startInstances();
  const make = async (name: string, spec: object, tags: readonly object[] = []) => {
    ids[name] = seen(await compute.create(name, spec, { tags })).metadata.id;
  };
  const projectId = await compute.found.project(compute.organizationId);
  await make('a', {}, [
    { name: 'env', value: 'prod' },
    { name: 'tier', value: 'web' },
  ]);
  await make('b', {}, [{ name: 'env', value: 'prod' }]);
  await make('c', { networkId: await compute.openNetwork('second') });
  await make('d', { projectId, networkId: await compute.openNetwork('third', projectId) });
});
afterAll(() => compute.stop());

const listed = async (query: string) => idsOf(await compute.ask('GET', query));
const named = (...names: readonly string[]) => names.map((name) => ids[name]).sort();

describe('a list of instances', () => {
  it('is sorted by id, without instances that the caller may not read', async () => {
    expect(await listed('')).toEqual(named('a', 'b', 'c', 'd'));
    const robot = await compute.found.robot(compute.organizationId, ['reader']);
    expect((await compute.call('GET', '/api/v2/instances', { token: robot.token })).body).toEqual([]);
  });

  it('is filtered by organization, project, region, network and tag: one value of each filter must match, and all filters', async () => {
    const { organizationId, projectId, regionId, networkId } = compute;
    expect(await listed(`?organizationID=${organizationId}&regionID=${regionId}`)).toEqual(named('a', 'b', 'c', 'd'));
    expect(await listed(`?projectID=${projectId}`)).toEqual(named('a', 'b', 'c'));
    expect(await listed(`?networkID=${networkId}`)).toEqual(named('a', 'b'));
    const { status } = await compute.read(ids['c'] ?? '');
    expect(await listed(`?networkID=${networkId}&networkID=${status['networkId']}`)).toEqual(named('a', 'b', 'c'));
    expect(await listed('?tag=env%3Dprod')).toEqual(named('a', 'b'));
    expect(await listed('?tag=env%3Dprod&tag=tier%3Dweb')).toEqual(named('a'));
    expect(await listed(`?projectID=${projectId}&search=${ids['c']}`)).toEqual(named('c'));
    expect(await listed(`?projectID=${projectId}&search=${ids['d']}`)).toEqual([]);
    expect(await listed(`?networkID=${status['networkId']}&tag=env%3Dprod`)).toEqual([]);
  });

  it('of organizations, regions or networks that do not exist, or are not visible to the caller, is empty', async () => {
    const { organizationId } = await compute.openTenant();
    expect(await listed(`?organizationID=${organizationId}`)).toEqual([]);
    expect(await listed('?organizationID=-no-label-')).toEqual([]);
    expect(await listed('?regionID=nowhere')).toEqual([]);
  });

  it.each(['env', 'env%3Dprod%3Dweb', ''])(
    'with the tag selector %o is refused before anything is read',
    async (tag) => {
      expect(await compute.ask('GET', `?tag=${tag}`)).toMatchObject({
        status: 400,
        body: { error_description: mentioning('tag') },
      });
    },
  );

  it('has pages on request', async () => {
    const first = await compute.ask('GET', '?limit=3');
    const second = await compute.ask(
      'GET',
      `?limit=3&continue=${encodeURIComponent(String(first.headers['continue']))}`,
    );
    expect([...idsOf(first), ...idsOf(second)]).toEqual(named('a', 'b', 'c', 'd'));
  });
});

const follow = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  openEventStream(compute.server, `/compute/api/v2/instances${path}`, {
    authorization: `Bearer ${compute.token}`,
    ...headers,
  });

const statesOf = ({ events }: EventStream, id: string) =>
  events
    .map(({ data }) => data as { readonly metadata?: { readonly id: string; readonly provisioningStatus: string } })
    .flatMap(({ metadata }) => (metadata?.id === id ? [metadata.provisioningStatus] : []));

describe('a watch', () => {
  it('of a list shows the existing instances, then created, provisioned and deleted ones', async () => {
    const stream = await follow(`?networkID=${compute.networkId}`);
    await stream.has('synced');
    expect(stream.events.filter(({ event }) => event === 'added')).toHaveLength(2);
    const { id } = seen(await compute.create('watched')).metadata;
    await compute.until(id, 'provisioned');
    await stream.has('modified');
    await compute.ask('DELETE', `/${id}`);
    await compute.gone(id);
    await stream.has('deleted');
    expect(statesOf(stream, id)).toEqual(expect.arrayContaining(['pending', 'provisioned', 'deprovisioning']));
    stream.close();
  });

  it('of a list that was interrupted continues after the last received event', async () => {
    const first = await follow('');
    await first.has('synced');
    first.close();
    const { id } = seen(await compute.create('missed')).metadata;
    const second = await follow('', { 'last-event-id': first.events.at(-1)?.id ?? '' });
    await second.has('added');
    expect(second.events.map(({ event }) => event)).not.toContain('synced');
    expect(
      new Set(second.events.map(({ data }) => (data as { readonly metadata: { readonly id: string } }).metadata.id)),
    ).toEqual(new Set([id]));
    second.close();
  });

  it('of one instance shows its changes, and continues where it was interrupted', async () => {
    const id = ids['a'] ?? '';
    await compute.until(id, 'provisioned');
    await compute.world.settle();
    const first = await follow(`/${id}`);
    await first.has('synced');
    first.close();
    await compute.update(id, 'a', {}, { description: 'while away' });
    await compute.update(ids['b'] ?? '', 'b', {}, { description: 'of no interest' });
    const second = await follow(`/${id}`, { 'last-event-id': first.events.at(-1)?.id ?? '' });
    await second.has('modified');
    expect(second.events[0]).toMatchObject({
      event: 'modified',
      data: { metadata: { id, description: 'while away' } },
    });
    expect(statesOf(second, ids['b'] ?? '')).toEqual([]);
    second.close();
  });
});
