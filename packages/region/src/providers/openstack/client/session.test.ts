import { afterEach, describe, expect, it } from 'vitest';

import { createTelemetry } from '@unikorn/core/telemetry';
import { capture } from '@unikorn/core/testing';
import { passing } from '@unikorn/core/testing/carriers';
import { systemWorld } from '@unikorn/core/world';

import { isProviderFailure, type FailureKind } from '../../../provider/index.ts';
import { service, startCloud, type CloudScript, type Given } from './cloud.fixture.ts';
import { CloudError, neutron, nova, octavia, type CloudAccess } from './index.ts';

type Running = Awaited<ReturnType<typeof startCloud>>;

const running: Running[] = [];
afterEach(async () => {
  for (const cloud of running.splice(0)) await cloud.stop();
});

async function cloudWith(script: CloudScript, access: Partial<CloudAccess> = {}): Promise<Running> {
  const cloud = await startCloud(script, access);
  running.push(cloud);
  return cloud;
}

/** Waits for a call while virtual time passes. */
function outcome(cloud: Running, call: Promise<unknown>): Promise<unknown> {
  return passing(cloud.world, call).catch((error: unknown) => error);
}

const noFlavors: Given = { body: { flavors: [] } };
const listFlavors = ({ session }: Running) => nova.listFlavors(session);
const network = { id: 'n', name: 'net', status: 'ACTIVE', subnets: [] };
const createNetwork = ({ session }: Running) => neutron.createNetwork(session, { name: 'net' });

describe('a token', () => {
  it('is asked for once, by all callers together, and is sent with each call', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors });
    await Promise.all([listFlavors(cloud), listFlavors(cloud), listFlavors(cloud)]);
    expect(cloud.logins.map(({ body }) => body)).toEqual([
      {
        auth: {
          identity: { methods: ['password'], password: { user: { id: 'u', password: 'hidden' } } },
          scope: { project: { id: 'p' } },
        },
      },
    ]);
    expect(cloud.asked.map(({ token }) => token)).toEqual(['token-1', 'token-1', 'token-1']);
  });

  it('is renewed before it ends, whatever the clock of the cloud says', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors });
    await listFlavors(cloud);
    await cloud.world.advance(55 * 60_000 - 1);
    await listFlavors(cloud);
    expect(cloud.logins).toHaveLength(1);
    await cloud.world.advance(1);
    await listFlavors(cloud);
    expect(cloud.asked.map(({ token }) => token)).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('with a short life is used for most of it', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors, tokenLife_ms: 60_000 });
    await listFlavors(cloud);
    await cloud.world.advance(44_999);
    await listFlavors(cloud);
    await cloud.world.advance(1);
    await listFlavors(cloud);
    expect(cloud.logins).toHaveLength(2);
  });

  it('that the cloud no longer accepts is replaced once, also for a call that may not be repeated', async () => {
    const cloud = await cloudWith({
      answer: ({ token }) => (token === 'token-1' ? { status: 401, body: {} } : { status: 201, body: { network } }),
    });
    expect(await createNetwork(cloud)).toMatchObject({ id: 'n' });
    expect(cloud.asked.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
  });

  it('is not replaced twice, and not once for each caller', async () => {
    const cloud = await cloudWith({ answer: () => ({ status: 401, body: {} }) });
    const failures = await Promise.all([0, 1, 2].map(() => outcome(cloud, listFlavors(cloud))));
    expect(failures).toMatchObject([{ kind: 'permission' }, { kind: 'permission' }, { kind: 'permission' }]);
    expect(cloud.asked).toHaveLength(6);
    expect(cloud.logins.length).toBeLessThanOrEqual(4);
  });

  it('of another principal is another one', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors });
    const credential = { method: 'application_credential', id: 'a', secret: 'hidden' } as const;
    await listFlavors(cloud);
    await nova.listFlavors(cloud.cloud.session({ credential, scope: 'own' }));
    expect(cloud.logins[1]?.body).toEqual({
      auth: {
        identity: { methods: ['application_credential'], application_credential: { id: 'a', secret: 'hidden' } },
      },
    });
    expect(cloud.asked.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
  });

  it('for credentials that do not exist any more is refused, and the thing of the call is not called absent', async () => {
    const cloud = await cloudWith({
      login: () => ({ status: 404, body: { error: { message: 'Could not find Application Credential' } } }),
    });
    const failure = await outcome(cloud, nova.getServer(cloud.session, 'server'));
    expect(failure).toMatchObject({ kind: 'permission', cause: { status: 404 } });
  });

  it('that is refused is a matter for the operator, and is asked for again by the next call', async () => {
    const cloud = await cloudWith({
      answer: () => noFlavors,
      login: (_, count) => (count === 1 ? { status: 401, body: { error: { message: 'hidden' } } } : undefined),
    });
    const failure = await outcome(cloud, listFlavors(cloud));
    expect(failure).toMatchObject({ kind: 'permission', cause: { status: 401 } });
    expect(String(failure)).not.toContain('hidden');
    expect(await listFlavors(cloud)).toEqual([]);
  });

  it.each<[string, Given]>([
    ['without a token', { status: 201, body: { token: {} } }],
    ['in another form', { status: 201, headers: { 'x-subject-token': 't' }, body: { access: {} } }],
    ['of a login page', { status: 200, body: '<html>' }],
  ])('an answer %s is not one', async (_, given) => {
    const cloud = await cloudWith({ answer: () => noFlavors, login: () => given });
    expect(isProviderFailure(await outcome(cloud, listFlavors(cloud)))).toBe(true);
  });
});

describe('the catalogue', () => {
  const regions = (address: string) => [
    service('compute', `${address}/elsewhere/v2.1`, 'a'),
    service('compute', `${address}/compute/v2.1`, 'b'),
  ];

  it('is searched by region name', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors, catalogue: regions }, { regionName: 'b' });
    await listFlavors(cloud);
    expect(cloud.asked[0]?.path).toMatch(/^\/compute\/v2\.1\/flavors\/detail/);
  });

  it('with several regions is not guessed from', async () => {
    const cloud = await cloudWith({ catalogue: regions });
    const failure = await outcome(cloud, listFlavors(cloud));
    expect(failure).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('set its region name') as string,
    });
  });

  it('without a service says which one is missing', async () => {
    const cloud = await cloudWith({ catalogue: regions }, { regionName: 'c' });
    expect(await outcome(cloud, listFlavors(cloud))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('has no compute service (Nova) in its region c') as string,
    });
  });

  it('gives addresses with and without a version', async () => {
    const cloud = await cloudWith({ answer: () => ({ body: { networks: [] } }) });
    await neutron.listExternalNetworks(cloud.session);
    expect(cloud.asked[0]?.path).toMatch(/^\/network\/v2\.0\/networks\?/);
    expect(await cloud.session.services()).toEqual(['identity', 'compute', 'network', 'image']);
  });
});

describe('the version of an API', () => {
  it('is pinned', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors });
    await listFlavors(cloud);
    expect(cloud.asked[0]?.headers['openstack-api-version']).toBe('compute 2.90');
  });

  it('that the cloud does not have is refused with a sentence, before anything is asked', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors, novaVersion: '2.79' });
    expect(await outcome(cloud, listFlavors(cloud))).toMatchObject({
      kind: 'unavailable',
      message:
        'the compute service of this region (Nova) is too old: its newest version is 2.79, and Unikorn needs 2.90. The platform operator must upgrade it',
    });
    expect(cloud.asked).toEqual([]);
  });

  it('is read once an hour', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors });
    const reads = () => cloud.records.filter(({ path }) => path === '/compute/v2.1/').length;
    await listFlavors(cloud);
    await listFlavors(cloud);
    expect(reads()).toBe(1);
    await cloud.world.advance(3600_000);
    await listFlavors(cloud);
    expect(reads()).toBe(2);
  });
});

describe('a call', () => {
  it.each([500, 502, 503, 504, 429])('that is answered with %i is repeated', async (status) => {
    const cloud = await cloudWith({ answer: (_, count) => (count < 3 ? { status } : noFlavors) });
    expect(await outcome(cloud, listFlavors(cloud))).toEqual([]);
    expect(cloud.asked).toHaveLength(3);
  });

  it('waits as long as the cloud wants', async () => {
    const cloud = await cloudWith({
      answer: (_, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '7' } } : noFlavors),
    });
    await outcome(cloud, listFlavors(cloud));
    expect(cloud.world.monotonic_ms()).toBeGreaterThanOrEqual(7_000);
  });

  it('does not wait for minutes', async () => {
    const cloud = await cloudWith({ answer: () => ({ status: 503, headers: { 'retry-after': '600' } }) });
    expect(await outcome(cloud, listFlavors(cloud))).toMatchObject({ kind: 'unavailable' });
    expect(cloud.asked).toHaveLength(1);
  });

  it('is given up after a few repetitions', async () => {
    const cloud = await cloudWith({ answer: () => 'drop' });
    expect(await outcome(cloud, listFlavors(cloud))).toMatchObject({ kind: 'unavailable' });
    expect(cloud.asked).toHaveLength(5);
  });

  it.each<[Given | 'drop', FailureKind]>([
    [{ status: 500 }, 'transient'],
    [{ status: 503 }, 'unavailable'],
    ['drop', 'transient'],
  ])('that makes something is not repeated after %j', async (reaction, kind) => {
    const cloud = await cloudWith({ answer: () => reaction });
    expect(await outcome(cloud, createNetwork(cloud))).toMatchObject({ kind });
    expect(cloud.asked).toHaveLength(1);
  });

  it('that changes a load balancer is not repeated, because Octavia may be carrying out the first one', async () => {
    const versions = { body: { versions: [{ id: 'v2.26', status: 'CURRENT' }] } };
    const cloud = await cloudWith({
      answer: ({ method }) => (method === 'GET' ? versions : 'drop'),
      catalogue: (address) => [service('load-balancer', `${address}/balancing`)],
    });
    const { session } = cloud;
    const changes = [() => octavia.deletePool(session, 'p'), () => octavia.replaceMembers(session, 'p', [])];
    for (const change of changes) expect(await outcome(cloud, change())).toMatchObject({ kind: 'transient' });
    expect(cloud.asked.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'PUT']);
  });

  it('that makes something is repeated where it was certainly not carried out', async () => {
    const cloud = await cloudWith({
      answer: (_, count) => (count === 1 ? { status: 429 } : { status: 201, body: { network } }),
    });
    expect(await outcome(cloud, createNetwork(cloud))).toMatchObject({ id: 'n' });
  });

  it('that is not answered ends in time', async () => {
    const cloud = await cloudWith({ answer: () => 'silent' });
    expect(await outcome(cloud, createNetwork(cloud))).toMatchObject({ kind: 'transient' });
    // The cloud gets the whole time to answer a call that cannot be sent again.
    expect(cloud.world.monotonic_ms()).toBe(60_000);
    expect(cloud.asked).toHaveLength(1);
    expect(await outcome(cloud, listFlavors(cloud))).toMatchObject({ kind: 'unavailable' });
    expect(cloud.world.monotonic_ms()).toBeLessThan(122_000);
    expect(cloud.asked.length).toBeGreaterThan(2);
  });

  it('of a cloud where nothing listens is unavailable, and the address stays with the operator', async () => {
    const cloud = await cloudWith({ answer: () => noFlavors });
    await listFlavors(cloud);
    await cloud.goDown();
    // The first call may still meet a connection that was just closed.
    for (const call of [listFlavors, createNetwork]) {
      const failure = await outcome(cloud, call(cloud));
      expect(failure).toMatchObject({ kind: 'unavailable' });
      expect(String(failure)).not.toContain('127.0.0.1');
    }
  });

  it('tells its number in the logs of the cloud', async () => {
    const headers = { 'x-openstack-request-id': 'req-1' };
    const cloud = await cloudWith({
      answer: (_, count) => (count === 1 ? { ...noFlavors, headers } : { status: 400, headers, body: {} }),
    });
    await listFlavors(cloud);
    expect(cloud.records.at(-1)).toMatchObject({
      service: 'compute',
      method: 'GET',
      path: '/flavors/detail',
      outcome: 200,
      requestId: 'req-1',
    });
    expect(await outcome(cloud, listFlavors(cloud))).toMatchObject({ requestId: 'req-1' });
  });
});

it('what the cloud says to refuse a call is in the log, and what does not exist is not', async () => {
  const lines: string[] = [];
  const log = createTelemetry({
    service: 'test',
    version: '0',
    world: systemWorld,
    log: { level: 'info', destination: capture(lines) },
    tracing: { samplingRatio: 0 },
  });
  const headers = { 'x-openstack-request-id': 'req-1' };
  const statuses = [404, 400];
  const cloud = await startCloud(
    {
      answer: (_, count) => ({
        status: statuses[count - 1] ?? 400,
        headers,
        body: { badRequest: { message: 'words' } },
      }),
    },
    {},
    log,
  );
  running.push(cloud);
  await outcome(cloud, createNetwork(cloud));
  await outcome(cloud, createNetwork(cloud));
  await log.shutdown();
  // Whatever is sampled, the cloud can log the call under our trace.
  expect(cloud.asked.map(({ headers: sent }) => sent['x-openstack-request-id'])).toEqual(
    Array<unknown>(2).fill(expect.stringMatching(/^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  );
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      message: 'the cloud refused a call',
      status: 400,
      requestId: 'req-1',
      words: expect.stringContaining('words') as string,
    },
  ]);
  expect(lines.join()).not.toContain('hidden');
});

describe('an answer that cannot be understood', () => {
  it.each<[string, Given]>([
    ['a page', { body: '<html>hidden</html>' }],
    ['half of the JSON', { body: '{"flavors": [' }],
    ['other fields', { body: { flavors: [{ id: 'hidden' }] } }],
    ['nothing', {}],
    ['a redirection', { status: 302, headers: { location: 'https://hidden' } }],
    ['too much', { body: 'x'.repeat(33 * 1024 * 1024) }],
  ])('such as %s is a failure', async (_, given) => {
    const cloud = await cloudWith({ answer: () => given });
    const failure = await outcome(cloud, listFlavors(cloud));
    expect(failure).toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
    expect(String(failure)).not.toContain('hidden');
    expect(cloud.asked).toHaveLength(1);
  });

  it('leaves open whether a thing was made', async () => {
    const cloud = await cloudWith({ answer: () => ({ status: 201, body: '<html>' }) });
    expect(await outcome(cloud, createNetwork(cloud))).toMatchObject({ kind: 'transient' });
  });
});

describe('a refusal', () => {
  const neutronError = (type: string, message = 'hidden') => ({ NeutronError: { type, message, detail: '' } });

  it.each<[number, object | string, FailureKind]>([
    [400, { badRequest: { message: 'hidden', code: 400 } }, 'invalid'],
    [403, { forbidden: { message: "Policy doesn't allow os-quota-sets:update to be performed" } }, 'permission'],
    [403, { forbidden: { message: 'Quota exceeded for instances: Requested 1' } }, 'quota'],
    [403, { faultcode: 'Client', faultstring: 'Quota has been met for resources: Load Balancers' }, 'quota'],
    [404, { itemNotFound: { message: 'hidden' } }, 'not_found'],
    [404, '<html>the page does not exist</html>', 'unavailable'],
    [409, neutronError('OverQuota'), 'quota'],
    [409, neutronError('SubnetInUse'), 'in_use'],
    [409, neutronError('IpAddressGenerationFailure'), 'capacity'],
    [409, { conflictingRequest: { message: "Cannot 'start' instance hidden while it is active" } }, 'conflict'],
    [413, { overLimit: { message: 'hidden' } }, 'unavailable'],
  ])('of %i with %j is %s', async (status, body, kind) => {
    const cloud = await cloudWith({ answer: () => ({ status, body }) });
    const failure = await outcome(cloud, createNetwork(cloud));
    expect(failure).toMatchObject({ name: 'ProviderFailure', kind, cause: { status } });
    expect(String(failure)).not.toContain('hidden');
    expect(String(failure)).toContain('creating the network');
  });

  it('has the words of the cloud as its cause, in any form', async () => {
    const forms = [
      { itemNotFound: { code: 404, message: 'words' } },
      neutronError('x', 'words'),
      { error: { code: 404, message: 'words', title: 'Not Found' } },
      { faultcode: 'Client', faultstring: 'words', debuginfo: null },
      { errors: [{ status: 404, title: 'Not Found', detail: 'words' }] },
      { message: 'words<br />', code: '404 Not Found', title: 'Not Found' },
    ];
    for (const body of forms) {
      const cloud = await cloudWith({ answer: () => ({ status: 404, body }) });
      const failure = await outcome(cloud, createNetwork(cloud));
      const cause = isProviderFailure(failure) ? failure.cause : undefined;
      expect(cause).toBeInstanceOf(CloudError);
      expect(String(cause)).toMatch(/network answered 404 to POST \/networks: words/);
    }
  });

  it('to delete because the thing is absent is success', async () => {
    const cloud = await cloudWith({ answer: () => ({ status: 404, body: { itemNotFound: {} } }) });
    await nova.deleteServer(cloud.session, 's');
    expect(await nova.getServer(cloud.session, 's')).toBeUndefined();
  });

  it('to delete because something uses it is told as that', async () => {
    const cloud = await cloudWith({ answer: () => ({ status: 409, body: { message: 'Image x is in use' } }) });
    expect(await outcome(cloud, neutron.deleteNetwork(cloud.session, 'n'))).toMatchObject({ kind: 'in_use' });
  });
});

describe('a list', () => {
  const next = [{ rel: 'next', href: 'http://internal.invalid/next' }];
  const pages = (field: string, item: (id: string) => object): CloudScript => ({
    answer: ({ query }) => {
      const marker = query.get('marker');
      if (marker === null) return { body: { [field]: [item('a'), item('b')], [`${field}_links`]: next } };
      return { body: { [field]: marker === 'b' ? [item('c')] : [] } };
    },
  });

  it('is read page by page, at the address of the service', async () => {
    const cloud = await cloudWith(pages('networks', (id) => ({ ...network, id })));
    const found = await neutron.listExternalNetworks(cloud.session);
    expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(cloud.asked.map(({ query }) => Object.fromEntries(query))).toEqual([
      { 'router:external': 'true', limit: '1000' },
      { 'router:external': 'true', limit: '1000', marker: 'b' },
    ]);
  });

  it('that never ends is given up', async () => {
    const cloud = await cloudWith({
      answer: () => ({ body: { networks: [{ ...network, id: 'a' }], networks_links: next } }),
    });
    expect(await outcome(cloud, neutron.listExternalNetworks(cloud.session))).toMatchObject({ kind: 'inconsistent' });
    expect(cloud.asked).toHaveLength(2);
  });

  it('is searched for a whole name, although Nova takes it for a regular expression', async () => {
    const server = (id: string, name: string) => ({
      id,
      name,
      status: 'ACTIVE',
      created: '2026-01-01T00:00:00Z',
      metadata: {},
      addresses: {},
      image: { id: 'i' },
      'OS-EXT-STS:task_state': null,
      'OS-SRV-USG:launched_at': null,
    });
    const all = [server('1', 'web.1'), server('2', 'web.10'), server('3', 'web-1'), server('4', 'a-web.1')];
    const cloud = await cloudWith({ answer: () => ({ body: { servers: all } }) });
    expect((await nova.serversNamed(cloud.session, 'web.1')).map(({ id }) => id)).toEqual(['1']);
    expect(cloud.asked[0]?.query.get('name')).toBe(String.raw`^web\.1$`);
  });

  it('with two things of one name is never guessed from', async () => {
    const cloud = await cloudWith({
      answer: () => ({ body: { networks: [network, { ...network, id: 'm' }, { ...network, id: 'o', name: 'net2' }] } }),
    });
    const failure = await outcome(cloud, neutron.findNetwork(cloud.session, { projectId: 'p', name: 'net' }));
    expect(failure).toMatchObject({ kind: 'inconsistent' });
    expect(String(isProviderFailure(failure) ? failure.cause : '')).toContain('the cloud has 2 of network net: n, m');
  });
});
