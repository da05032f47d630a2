import { sealedStore, TextSealer } from '@unikorn/core/sealing';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import type { Asked, Given } from './client/cloud.fixture.ts';
import { service, startCloud } from './client/cloud.fixture.ts';
import { OpenstackIdentities } from './identities.ts';
import { openstackKinds, openstackSecrets } from './kinds.ts';
import { OpenstackRegion } from './region.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What an administrator of the cloud sees. */
export interface Inventory {
  projects: (Named & { readonly tags: readonly string[] })[];
  users: (Named & { password: string })[];
  /** `project/user/role`. */
  grants: Set<string>;
  groups: (Named & { readonly project: string })[];
  keys: (Named & { readonly user: string; readonly public_key: string })[];
  networks: (Named & { readonly project: string })[];
  images: (Named & { readonly owner: string })[];
  quotas: Record<string, unknown>;
}

/** How one call is disturbed: before it is carried out, or after, or by a list that shows nothing. */
export type Disturbance = 'refused' | 'lost' | 'stale';

/**
 * As much of Keystone, Nova, Neutron and Glance as identities need, on a socket. Each call can be disturbed, by its
 * number.
 */
export async function startIdentityCloud() {
  const inventory: Inventory = {
    projects: [],
    users: [{ id: 'region-user', name: 'unikorn', password: 'region-password' }],
    grants: new Set(),
    groups: [],
    keys: [],
    networks: [],
    images: [],
    quotas: {},
  };
  const disturbances = new Map<number, Disturbance>();
  let calls = 0;
  let ids = 0;
  const sessions = new Map<string, { readonly user: string; readonly project?: string }>();
  const freshId = () => `id-${(ids += 1)}`;

  function disturbed(carryOut: () => Given, list?: string): Given | 'drop' {
    const how = disturbances.get((calls += 1));
    if (how === 'refused') return { status: 500, body: {} };
    const given = carryOut();
    if (how === 'stale' && list !== undefined) return { body: { [list]: [], links: {} } };
    return how === 'lost' ? 'drop' : given;
  }

  function login({ body }: Asked): Given {
    const { auth } = body as {
      auth: {
        identity: { password: { user: { id: string; password: string } } };
        scope: { project?: { id: string }; domain?: { id: string } };
      };
    };
    const { id, password } = auth.identity.password.user;
    const project = auth.scope.project?.id;
    const known = inventory.users.some((user) => user.id === id && user.password === password);
    const allowed =
      project === undefined || [...inventory.grants].some((grant) => grant.startsWith(`${project}/${id}/`));
    if (!known || !allowed) return { status: 401, body: { error: { message: 'no' } } };
    const token = `token-${sessions.size + 1}`;
    sessions.set(token, { user: id, ...(project === undefined ? {} : { project }) });
    return {
      status: 201,
      headers: { 'x-subject-token': token },
      body: {
        token: {
          issued_at: '2020-01-01T00:00:00Z',
          expires_at: '2020-01-02T00:00:00Z',
          user: { id, name: id, domain: { id: 'domain' } },
          ...(project === undefined ? { domain: { id: 'domain' } } : { project: { id: project } }),
          catalog: [
            service('compute', `${cloud.address}/compute/v2.1`),
            service('network', `${cloud.address}/network/v2.0`),
            service('image', `${cloud.address}/image`),
          ],
        },
      },
    };
  }

  const cloud = await startCloud({
    login: (asked) => disturbed(() => login(asked)),
    answer: (asked) =>
      disturbed(() => {
        const session = sessions.get(asked.token ?? '');
        if (!session || !inventory.users.some(({ id }) => id === session.user)) return { status: 401, body: {} };
        return answer(inventory, freshId, asked, session);
      }, listOf(asked)),
  });
  const world = virtualWorld();
  const engine = openMemoryStore({ world, kinds: openstackKinds });
  const store = sealedStore(engine, new TextSealer(new Uint8Array(32)), openstackSecrets);
  const open = (secret: Readonly<Record<string, string>> = {}) =>
    new OpenstackRegion({
      regionId: 'region',
      store,
      world,
      telemetry: silentTelemetry(),
      settings: { endpoint: `${cloud.address}/identity` },
      secret: () =>
        Promise.resolve({
          'domain-id': 'domain\n',
          'project-id': 'region-project',
          'user-id': 'region-user',
          password: 'region-password',
          ...secret,
        }),
    });
  const opened: OpenstackRegion[] = [];
  return {
    inventory,
    world,
    store,
    /** What is written to the disk. */
    engine,
    /** As a process that has just started. */
    identities: (secret?: Readonly<Record<string, string>>) => {
      const region = open(secret);
      opened.push(region);
      return new OpenstackIdentities(region);
    },
    calls: () => calls,
    disturb: (number: number, how: Disturbance) => {
      disturbances.set(calls + number, how);
    },
    calm: () => {
      disturbances.clear();
    },
    stop: async () => {
      for (const region of opened) await region.close();
      await cloud.stop();
      await store.close();
    },
  };
}

/** The things that a call lists by name. */
function listOf({ method, path }: Asked): string | undefined {
  return method === 'GET' ? /^\/identity\/v3\/(projects|users)\?/.exec(path)?.[1] : undefined;
}

function answer(
  inventory: Inventory,
  freshId: () => string,
  { method, path, query, body }: Asked,
  { user, project = '' }: { readonly user: string; readonly project?: string },
): Given {
  const route = `${method} ${path.replace(/\?.*/, '')}`;
  const fields = Object.values((body ?? {}) as Record<string, Record<string, unknown>>)[0] ?? {};
  const text = (name: string) => fields[name] as string;
  const match = (pattern: RegExp) => pattern.exec(route)?.slice(1) ?? [];
  const byName = <T extends Named>(all: readonly T[]) =>
    all.filter(({ name }) => name.includes(query.get('name') ?? ''));
  const shown = { domain_id: 'domain', enabled: true };
  if (route === 'GET /identity/v3/projects')
    return { body: { projects: byName(inventory.projects).map((one) => ({ ...one, ...shown })), links: {} } };
  if (route === 'POST /identity/v3/projects') {
    if (inventory.projects.some(({ name }) => name === text('name'))) return { status: 409, body: {} };
    const made = { id: freshId(), name: text('name'), tags: fields['tags'] as string[] };
    inventory.projects.push(made);
    return { status: 201, body: { project: { ...made, ...shown } } };
  }
  if (route === 'GET /identity/v3/users')
    return {
      body: { users: byName(inventory.users).map(({ id, name }) => ({ id, name, ...shown })), links: {} },
    };
  if (route === 'POST /identity/v3/users') {
    if (inventory.users.some(({ name }) => name === text('name'))) return { status: 409, body: {} };
    const made = { id: freshId(), name: text('name'), password: text('password') };
    inventory.users.push(made);
    return { status: 201, body: { user: { id: made.id, name: made.name, ...shown } } };
  }
  if (route === 'GET /identity/v3/roles')
    return {
      body: { roles: ['manager', 'member', 'load-balancer_member'].map((name) => ({ id: `role-${name}`, name })) },
    };
  const [grantProject, grantUser, grantRole] = match(/^PUT \/identity\/v3\/projects\/(.+)\/users\/(.+)\/roles\/(.+)$/);
  if (grantProject !== undefined) {
    inventory.grants.add(`${grantProject}/${grantUser ?? ''}/${grantRole ?? ''}`);
    return { status: 204 };
  }
  const [, sort, shownId] = /^GET \/identity\/v3\/(project|user)s\/(.+)$/.exec(route) ?? [];
  if (sort !== undefined) {
    const found = (sort === 'user' ? inventory.users : inventory.projects).find(({ id }) => id === shownId);
    return found ? { body: { [sort]: { ...found, ...shown } } } : { status: 403, body: {} };
  }
  const [changedUser] = match(/^PATCH \/identity\/v3\/users\/(.+)$/);
  if (changedUser !== undefined) {
    const found = inventory.users.find(({ id }) => id === changedUser);
    if (found) found.password = text('password');
    return { body: {} };
  }
  const [goneUser] = match(/^DELETE \/identity\/v3\/users\/(.+)$/);
  if (goneUser !== undefined) {
    if (!inventory.users.some(({ id }) => id === goneUser)) return { status: 403, body: {} };
    inventory.users = inventory.users.filter(({ id }) => id !== goneUser);
    inventory.grants = new Set([...inventory.grants].filter((grant) => !grant.includes(`/${goneUser}/`)));
    return { status: 204 };
  }
  const [goneProject] = match(/^DELETE \/identity\/v3\/projects\/(.+)$/);
  if (goneProject !== undefined) {
    if (!inventory.projects.some(({ id }) => id === goneProject)) return { status: 403, body: {} };
    inventory.projects = inventory.projects.filter(({ id }) => id !== goneProject);
    inventory.grants = new Set([...inventory.grants].filter((grant) => !grant.startsWith(`${goneProject}/`)));
    return { status: 204 };
  }
  const [quotaService] = match(/^PUT \/(compute|network)\/.*quota/);
  if (quotaService !== undefined) {
    inventory.quotas[quotaService] = fields;
    return { body: {} };
  }
  if (route === 'GET /compute/v2.1/os-server-groups')
    return { body: { server_groups: inventory.groups.filter((group) => group.project === project) } };
  if (route === 'POST /compute/v2.1/os-server-groups') {
    const made = { id: freshId(), name: text('name'), policy: text('policy'), project };
    inventory.groups.push(made);
    return { body: { server_group: made } };
  }
  const [goneGroup] = match(/^DELETE \/compute\/v2\.1\/os-server-groups\/(.+)$/);
  if (goneGroup !== undefined) {
    inventory.groups = inventory.groups.filter(({ id }) => id !== goneGroup);
    return { status: 204 };
  }
  const [key] = match(/ \/compute\/v2\.1\/os-keypairs\/(.+)$/);
  if (key !== undefined) {
    const found = inventory.keys.find((one) => one.user === user && one.name === key);
    if (!found) return { status: 404, body: { itemNotFound: {} } };
    if (method === 'DELETE') inventory.keys = inventory.keys.filter((one) => one !== found);
    return { body: { keypair: { ...found, fingerprint: 'f' } } };
  }
  if (route === 'POST /compute/v2.1/os-keypairs') {
    if (inventory.keys.some((one) => one.user === user && one.name === text('name'))) return { status: 409, body: {} };
    const made = { id: freshId(), name: text('name'), user, public_key: text('public_key') };
    inventory.keys.push(made);
    return { status: 201, body: { keypair: { ...made, fingerprint: 'f' } } };
  }
  if (route === 'GET /image/v2/images') {
    const own = inventory.images.filter(({ owner }) => owner === project);
    const state = {
      status: 'active',
      visibility: 'shared',
      created_at: '2020-01-01T00:00:00Z',
      min_disk: 0,
      min_ram: 0,
    };
    return { body: { images: own.map((image) => ({ ...image, ...state })) } };
  }
  if (route === 'GET /compute/v2.1/servers/detail') return { body: { servers: [] } };
  if (route === 'GET /network/v2.0/networks')
    return {
      body: {
        networks: inventory.networks
          .filter((network) => network.project === project)
          .map((network) => ({ ...network, status: 'ACTIVE', subnets: [] })),
      },
    };
  if (route === 'GET /network/v2.0/floatingips') return { body: { floatingips: [] } };
  return { status: 400, body: { badRequest: { message: `unexpected ${route}` } } };
}
