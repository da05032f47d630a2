import { expect } from 'vitest';

import { openEventStreamAt, type EventStream } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { roleIdOf } from '@unikorn/identity';

import type { ServiceName } from '../../packages/unikorn/src/parts/table.ts';
import { eventually } from '../product/running.fixture.ts';
import type { Place } from './load.fixture.ts';
import type { Replica } from './platform.fixture.ts';
import { ask, type Ask, type Client, type Shown } from './traffic.fixture.ts';

/** A revoked token or a lost right is refused everywhere after this time, plus what a busy machine needs. */
const revocation_ms = 5_000;
const slack_ms = 10_000;

const instances = '/api/v2/instances';

/** A replica of an API, by its number. */
function replicaOf(replicas: readonly Replica[], service: ServiceName, number: 0 | 1): Replica {
  const found = replicas.filter((each) => each.servesApi && each.service === service)[number];
  if (!found) throw new Error(`there is no replica ${number} of ${service}`);
  return found;
}

/** Checks that each replica continues what the other one began. */
export async function examineReplicas(replicas: readonly Replica[], place: Place): Promise<void> {
  const { token, organizationId, projectId, regionId, flavorId, imageId } = place;
  const at = (service: ServiceName, number: 0 | 1, method: string, path: string, asked: Omit<Ask, 'token'> = {}) =>
    ask(replicaOf(replicas, service, number), method, path, { token, ...asked });
  const made = ({ status, text }: { readonly status: number; readonly text: string }, wanted: number): Shown => {
    expect([status, text]).toEqual([wanted, expect.any(String)]);
    return JSON.parse(text) as Shown;
  };

  // An idempotency key.
  const spec = { organizationId, projectId, regionId, prefix: '10.9.0.0/24', dnsNameservers: [] };
  const network = { body: { metadata: { name: 'replicas' }, spec }, key: 'replicas' };
  const first = made(await at('region', 0, 'POST', '/api/v2/networks', network), 201);
  const second = made(await at('region', 1, 'POST', '/api/v2/networks', network), 201);
  const networkId = first.metadata.id;
  expect(second.metadata.id).toBe(networkId);
  await eventually(
    async () => made(await at('region', 1, 'GET', `/api/v2/networks/${networkId}`), 200).metadata,
    ({ provisioningStatus }) => provisioningStatus === 'provisioned',
  );

  // A stream that continues at the other replica, without a gap and without a new list.
  const follow = (number: 0 | 1, from?: string) =>
    openEventStreamAt(replicaOf(replicas, 'compute', number).ports.open, `/compute${instances}`, {
      authorization: `Bearer ${token}`,
      ...(from === undefined ? {} : { 'last-event-id': from }),
    });
  const before = await follow(0);
  await before.has('synced');
  const position = before.events.findLast(({ id }) => id !== undefined)?.id;
  before.close();
  const body = {
    metadata: { name: 'replicas', description: 'first' },
    spec: { organizationId, projectId, networkId, flavorId, imageId },
  };
  const { metadata } = made(await at('compute', 0, 'POST', instances, { body, key: 'replicas' }), 201);
  const after = await follow(1, position);
  await after.has('added');
  expect(after.events.map(({ event }) => event)).not.toContain('reset');
  after.close();

  // A plan.
  const path = `${instances}/${metadata.id}`;
  await eventually(
    async () => made(await at('compute', 1, 'GET', path), 200).metadata,
    ({ provisioningStatus }) => provisioningStatus === 'provisioned',
  );
  const change = { metadata: { name: 'replicas', description: 'planned' }, spec: { flavorId, imageId } };
  const planned = await at('compute', 0, 'POST', `${path}/plan`, { body: change });
  expect(planned.status).toBe(200);
  const { token: planToken } = JSON.parse(planned.text) as { readonly token: string };
  made(await at('compute', 1, 'PUT', `${path}?planToken=${planToken}`, { body: change }), 202);

  expect((await at('compute', 1, 'DELETE', path)).status).toBe(202);
  await eventually(
    async () => (await at('compute', 0, 'GET', path)).status,
    (status) => status === 404,
  );
  await eventually(
    async () => (await at('region', 1, 'DELETE', `/api/v2/networks/${networkId}`)).status,
    (status) => status === 202 || status === 404,
  );
}

/** Checks that no replica accepts a revoked token, or a caller that lost its rights, and that their streams notice. */
export async function examineRevocation(
  replicas: readonly Replica[],
  client: Client,
  place: Place,
  adminToken: string,
): Promise<void> {
  const within = `/api/v1/organizations/${place.organizationId}`;
  const create = async (path: string, body: object): Promise<Shown> => {
    const result = await client.call('identity', 'POST', `${within}${path}`, { token: adminToken, body });
    expect(result.status).toBeLessThan(300);
    return result.body as Shown;
  };
  const spec = { serviceAccountIDs: [], roleIDs: [roleIdOf('administrator')] };
  const group = await create('/groups', { metadata: { name: 'temporary' }, spec });
  const account = (name: string) =>
    create('/serviceaccounts', { metadata: { name }, spec: { groupIDs: [group.metadata.id] } });
  const [revoked, powerless] = [await account('revoked'), await account('powerless')];
  const both = [0, 1] as const;
  const list = (service: 'region' | 'compute', number: 0 | 1, { status: { accessToken } }: Shown) =>
    ask(replicaOf(replicas, service, number), 'GET', service === 'region' ? '/api/v2/networks' : instances, {
      token: accessToken,
    });
  const everywhere = async (who: Shown) => {
    const answers = [];
    for (const service of ['region', 'compute'] as const)
      for (const number of both) answers.push(await list(service, number, who));
    return answers;
  };
  // Something that both can see, at every replica.
  const { organizationId, projectId, regionId } = place;
  const network = await client.call('region', 'POST', '/api/v2/networks', {
    token: place.token,
    key: 'revocation',
    body: {
      metadata: { name: 'revocation' },
      spec: { organizationId, projectId, regionId, prefix: '10.8.0.0/24', dnsNameservers: [] },
    },
  });
  const { metadata: seen } = network.body as Shown;
  for (const who of [revoked, powerless])
    await eventually(
      async () => (await everywhere(who)).map(({ status, text }) => [status, text.includes(seen.id)]),
      ([, ...answers]) => answers.every(([status]) => status === 200) && answers[0]?.[1] === true,
    );
  const streams: EventStream[] = [];
  const streamOf = async (number: 0 | 1, { status: { accessToken } }: Shown): Promise<EventStream> => {
    const stream = await openEventStreamAt(
      replicaOf(replicas, 'region', number).ports.open,
      '/region/api/v2/networks',
      { authorization: `Bearer ${accessToken}` },
    );
    await stream.has('synced');
    streams.push(stream);
    return stream;
  };
  const ended = [await streamOf(0, revoked), await streamOf(1, revoked)];
  const emptied = [await streamOf(0, powerless), await streamOf(1, powerless)];

  const begun_ms = systemWorld.monotonic_ms();
  const removed = await client.call('identity', 'DELETE', `${within}/serviceaccounts/${revoked.metadata.id}`, {
    token: adminToken,
  });
  expect(removed.status).toBeLessThan(300);
  const changed = await client.call('identity', 'PUT', `${within}/groups/${group.metadata.id}`, {
    token: adminToken,
    body: { metadata: { name: 'temporary' }, spec: { serviceAccountIDs: [powerless.metadata.id], roleIDs: [] } },
  });
  expect(changed.status).toBeLessThan(300);
  await eventually(
    async () => ({
      revoked: (await everywhere(revoked)).map(({ status }) => status),
      powerless: (await everywhere(powerless)).map(({ status, text }) => status === 200 && text.includes(seen.id)),
      ended: ended.map((stream) => stream.ended()),
      emptied: emptied.map((stream) => stream.ended() || stream.events.some(({ event }) => event === 'deleted')),
    }),
    (now) =>
      now.revoked.every((status) => status === 401) &&
      !now.powerless.includes(true) &&
      !now.ended.includes(false) &&
      !now.emptied.includes(false),
    revocation_ms + slack_ms,
  );
  console.log(
    `a revoked token and lost rights were refused everywhere after ${systemWorld.monotonic_ms() - begun_ms} ms`,
  );
  for (const stream of streams) stream.close();
  for (const path of [`/serviceaccounts/${powerless.metadata.id}`, `/groups/${group.metadata.id}`])
    await client.call('identity', 'DELETE', `${within}${path}`, { token: adminToken });
  await client.call('region', 'DELETE', `/api/v2/networks/${seen.id}`, { token: place.token });
}
