import { afterAll, beforeAll, expect, it } from 'vitest';

import { startInstances, seen, type Instances } from '../handlers/instances/instances.fixture.ts';

let compute: Instances;

beforeAll(async () => {
  compute = await startInstances();
});
afterAll(() => compute.stop());

interface Entry {
  readonly action: string;
  readonly outcome: string;
  readonly actor?: string;
  readonly cause?: string;
  readonly projectId: string;
  readonly resource: { readonly kind: string; readonly id: string; readonly name?: string };
}

async function activity(service: string, query = '', token = compute.token) {
  const path = service === 'identity' ? '/identity/api/v1/activity' : `/${service}/api/v2/activity`;
  const { status, body, headers } = await compute.request('GET', `${path}${query}`, { token });
  expect(status).toBe(200);
  return { entries: body as readonly Entry[], next: headers['continue'] };
}

const inShort = (entries: readonly Entry[]) =>
  entries.map(({ action, outcome, resource: { kind, name = '' } }) => `${kind} ${name}: ${action} ${outcome}`);

it('the activity of each service contains the requests for its resources, including deleted ones', async () => {
  await compute.world.advance(10_000);
  const networkId = await compute.openNetwork('doomed');
  const { id } = seen(await compute.create('web', { networkId })).metadata;
  await compute.until(id, 'provisioned');
  await compute.ask('POST', `/${id}/stop`);
  await compute.world.advance(10_000);
  await compute.ask('DELETE', `/${id}`);
  await compute.gone(id);
  await compute.world.advance(10_000);
  await compute.request('DELETE', `/region/api/v2/networks/${networkId}`);
  await compute.world.advance(60_000);
  const { entries } = await activity('compute');
  expect(inShort(entries)).toEqual([
    'instance web: delete accepted',
    'instance web: stop accepted',
    'instance web: create accepted',
  ]);
  expect(entries[0]).toMatchObject({ resource: { id }, projectId: compute.projectId, actor: entries[2]?.actor });
  expect(inShort((await activity('region', `?projectID=${compute.projectId}`)).entries).slice(0, 2)).toEqual([
    'network doomed: delete accepted',
    'network doomed: create accepted',
  ]);
  const first = await activity('compute', '?limit=2');
  expect(first.entries).toHaveLength(2);
  const rest = await activity('compute', `?limit=2&continue=${String(first.next)}`);
  expect([...first.entries, ...rest.entries]).toEqual(entries);
  expect(rest.next).toBeUndefined();
});

it('the activity on projects is in identity', async () => {
  const path = `/identity/api/v1/organizations/${compute.organizationId}/projects`;
  const made = await compute.request('POST', path, { body: { metadata: { name: 'shop' }, spec: { groupIDs: [] } } });
  const { id } = (made.body as { readonly metadata: { readonly id: string } }).metadata;
  await compute.world.advance(10_000);
  await compute.request('DELETE', `${path}/${id}`);
  await compute.world.advance(10_000);
  expect(inShort((await activity('identity', `?projectID=${id}`)).entries)).toEqual([
    'project shop: delete accepted',
    'project shop: create accepted',
  ]);
  const history = await compute.request('GET', `${path}/${id}/history`);
  expect(history.status).toBe(200);
  const elsewhere = `/identity/api/v1/organizations/${await compute.found.organization()}/projects`;
  expect((await compute.request('GET', `${elsewhere}/${id}/history`)).status).toBe(404);
});

it('the activity contains resources that were deleted with another one, with that resource and who deleted it', async () => {
  const tenant = await compute.openTenant();
  const { organizationId, projectId, networkId, token } = tenant;
  const { id } = seen(await tenant.create('web')).metadata;
  await tenant.until(id, 'provisioned');
  await compute.request('POST', '/region/api/v2/securitygroups', {
    token,
    body: { metadata: { name: 'ssh' }, spec: { networkId, rules: [] } },
  });
  await compute.world.advance(10_000);
  const project = `/identity/api/v1/organizations/${organizationId}/projects/${projectId}`;
  expect((await compute.request('DELETE', project, { token })).status).toBe(202);
  await compute.world.advance(120_000);
  const { entries: instances } = await activity('compute', '', token);
  const { entries: others } = await activity('region', '', token);
  const { entries: projects } = await activity('identity', `?projectID=${projectId}`, token);
  const [actor] = projects.map((entry) => entry.actor);
  expect(actor).toBeDefined();
  const cascaded = [...instances, ...others].filter(({ cause }) => cause !== undefined);
  expect(inShort(cascaded).toSorted()).toEqual([
    'instance web: deletion begun',
    'network network: deletion begun',
    'security-group ssh: deletion begun',
  ]);
  expect(new Set(cascaded.map((entry) => `${entry.actor ?? ''} ${entry.cause ?? ''}`))).toEqual(
    new Set([`${actor ?? ''} project acme`]),
  );
});

it('activity is shown only to callers who may read the resources', async () => {
  const stranger = await compute.found.robot(await compute.found.organization(), ['administrator']);
  const colleague = await compute.found.robot(compute.organizationId, ['reader']);
  const auditor = await compute.found.robot(compute.organizationId, ['auditor']);
  for (const service of ['compute', 'region', 'identity']) {
    expect((await activity(service, '', stranger.token)).entries).toEqual([]);
    expect((await activity(service, `?organizationID=${compute.organizationId}`, stranger.token)).entries).toEqual([]);
    expect((await activity(service, '', auditor.token)).entries).toEqual((await activity(service)).entries);
  }
  expect((await activity('compute', '', colleague.token)).entries).toEqual([]);
});
