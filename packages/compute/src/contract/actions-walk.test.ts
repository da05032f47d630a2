import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Route, Service } from '@unikorn/core/http';
import type { Kind, Resource } from '@unikorn/core/kinds';
import { modify } from '@unikorn/core/store';
import { identityKinds } from '@unikorn/identity';
import { accessConfiguration, identityBody } from '@unikorn/identity/testing';
import { WriteGuard } from '@unikorn/identity/testing/access';

import { regionKinds } from '@unikorn/region';
import { regionBody } from '@unikorn/region/testing';

import { computeKinds } from '../kinds/index.ts';
import { computeBody, computeTenants, startCompute, type RunningCompute } from '../testing/index.ts';

/** Operations on one object that are not actions, with the reason. */
const noActions: Readonly<Record<string, RegExp>> = {
  'services call these among themselves': /\/(references|allocations)\b/,
  'the simulated cloud has these for tests and demonstrations': /\/simulation\b/,
  'callers change their own password': /\/password$/,
  'a plan changes nothing, and is made for an update that may be refused': /\/plan$/,
};

/** An operation that acts on one object, and what the list of actions of the object calls it. */
interface Acting {
  readonly service: Service;
  readonly route: Route;
  /** The path of the object, without its service. */
  readonly object: string;
  readonly action: string;
}

interface Action {
  readonly action: string;
  readonly allowed: boolean;
  readonly reason?: string;
}

/** The path variables that differ from the usual ones. */
type Variables = Readonly<Record<string, string>>;

/** The kinds of the objects that paths name. Those that contain others come last. */
const kinds = {
  userID: 'OrganizationUser',
  groupid: 'Group',
  serviceAccountID: 'ServiceAccount',
  providerID: 'OAuth2Provider',
  oauth2ClientID: 'OAuth2Client',
  instanceID: 'ComputeInstance',
  serverID: 'Server',
  loadBalancerID: 'LoadBalancer',
  securityGroupID: 'SecurityGroup',
  sshCertificateAuthorityID: 'SSHCertificateAuthority',
  filestorageID: 'FileStorage',
  fileStorageClassID: 'FileStorageClass',
  networkID: 'Network',
  regionID: 'Region',
  projectID: 'Project',
  organizationID: 'Organization',
};

/** Not objects of the store, or without a time in which they are being deleted. */
const notStored = ['{subject}', '{imageID}', 'quotas'];

const granted = 'platform-reader-by-grant@example.com';
const guard = new WriteGuard();
let running: RunningCompute;
let tenants: Awaited<ReturnType<typeof computeTenants>>;
let services: readonly Service[];
/** Objects that the walk needs in another state than those of the tenants. */
let variables: Variables = { subject: granted };
beforeAll(async () => {
  running = await startCompute({ identityConfiguration: accessConfiguration, around: guard.around });
  tenants = await computeTenants(running);
  await running.request('PUT', `/identity/api/v1/globalroles/${granted}`, {
    token: running.operatorToken,
    body: { roles: ['platform-reader'] },
  });
  // The handler of a deletion closes the network before it looks for users. That is a write, so it needs one without.
  const unused = await running.request('POST', '/region/api/v2/networks', {
    token: running.operatorToken,
    body: { ...regionBody('createNetwork', own), metadata: { name: 'unused' } },
  });
  variables = { ...variables, networkID: (unused.body as { readonly metadata: { readonly id: string } }).metadata.id };
  await running.world.settle();
  services = [running.identity.service, running.region.service, running.compute.service];
});
afterAll(() => running.stop());

const own = (variable: string) => variables[variable] ?? tenants.variable(variable, 'own project');
const other = (variable: string) => tenants.variable(variable, 'other organization');

function kindCalled(name: string): Kind {
  const kind = [...identityKinds, ...regionKinds, ...computeKinds].find((each) => each.kind === name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
}

async function stored(kind: string, id: string): Promise<Resource> {
  const object = await running.store.get(kindCalled(kind), id);
  if (!object) throw new Error(`there is no ${kind} ${id}`);
  return object;
}

/** Changes an object behind the back of the services. */
async function change(kind: string, id: string, spec: object): Promise<void> {
  await modify(running.store, kindCalled(kind), id, (current) => ({ ...current, spec: { ...current.spec, ...spec } }));
  await running.world.settle();
}

/** Marks an object as being deleted, and lets it stay so. */
async function startDeletion(kind: string, id: string): Promise<void> {
  await modify(running.store, kindCalled(kind), id, (current) => ({
    ...current,
    metadata: { ...current.metadata, finalizers: [...(current.metadata.finalizers ?? []), 'test'] },
  }));
  await running.store.delete(kindCalled(kind), id);
  await running.world.settle();
}

const isAtOrBelow = (path: string, object: string) =>
  path === object || (path.startsWith(`${object}/`) && !path.slice(object.length).includes('{'));

/** The operations that change one object or hand out something secret of it, from the route tables of the services. */
function actingOperations(): readonly Acting[] {
  return services.flatMap((service) => {
    const objects = service.routes
      .filter(({ method }) => method === 'PUT' || method === 'DELETE')
      .map(({ path }) => path)
      .toSorted((a, b) => b.length - a.length);
    return service.routes.flatMap((route) => {
      const object = objects.find((path) => isAtOrBelow(route.path, path));
      const isActing =
        route.acts !== undefined || (route.method !== 'GET' && !/^(create|import)/.test(route.operationId));
      const isExempt = Object.values(noActions).some((pattern) => pattern.test(route.path));
      if (object === undefined || !isActing || isExempt) return [];
      return (route.acts?.names ?? [nameOf(route)]).map((action) => ({ service, route, object, action }));
    });
  });
}

function nameOf({ method, path }: Route): string {
  if (method === 'POST') return path.split('/').at(-1) ?? '';
  return method === 'DELETE' ? 'delete' : 'update';
}

const labelOf = ({ service, route: { method, path }, action }: Acting) =>
  `${action}: ${method} ${service.base ?? ''}${path}`;

function filled({ base }: Service, path: string, variables: Variables): string {
  return `${base ?? ''}${path}`.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(variables[name] ?? own(name)),
  );
}

async function sent(method: Route['method'], url: string, caller: string, payload?: object) {
  const { result, reached } = await guard.watch(() =>
    running.server.inject({
      method,
      url,
      headers: tenants.callers[caller] ?? {},
      ...(payload ? { payload } : {}),
    }),
  );
  return { status: result.statusCode, reached, body: result.body === '' ? undefined : result.json<unknown>() };
}

/** The list of actions that a caller gets, if they may read the object. */
async function actionsFor({ service, object }: Acting, caller: string, variables: Variables) {
  const { status, body } = await sent('GET', `${filled(service, object, variables)}/actions`, caller);
  return status === 200 ? (body as readonly Action[]) : undefined;
}

function bodyOf({ name }: Service, operationId: string): object {
  if (name === 'identity') return identityBody(operationId, own('projectID'));
  return name === 'region' ? regionBody(operationId, own) : computeBody(operationId, own, 'walked');
}

/** The reason with which the operation itself is refused. Nothing is changed: a write that is reached is enough. */
async function refusalOf({ service, route, action }: Acting, caller: string, variables: Variables) {
  const query = action === 'hardreboot' && route.path.endsWith('/reboot') ? '?hard=true' : '';
  const { status, reached, body } = await sent(
    route.method,
    `${filled(service, route.path, variables)}${query}`,
    caller,
    route.body && bodyOf(service, route.operationId),
  );
  return reached || status < 300 ? undefined : (body as { readonly error_description: string }).error_description;
}

/** Where list and operation disagree, for every caller who may read the list; and how many callers those are. */
async function compared(acting: Acting, variables: Variables = {}) {
  const differences: unknown[] = [];
  const reasons: Record<string, string> = {};
  for (const caller of Object.keys(tenants.callers)) {
    const listed = await actionsFor(acting, caller, variables);
    if (!listed) continue;
    const foreseen = listed.find(({ action }) => action === acting.action);
    const refusal = await refusalOf(acting, caller, variables);
    reasons[caller] = refusal ?? 'allowed';
    if (foreseen?.allowed !== (refusal === undefined) || foreseen.reason !== refusal)
      differences.push({ operation: labelOf(acting), caller, foreseen, refusal });
  }
  return { differences, reasons };
}

describe('every action on every object', () => {
  it('is allowed and refused, to every caller, exactly as the list of actions says, with the same reason', async () => {
    const acting = actingOperations();
    expect(acting.length).toBeGreaterThan(50);
    for (const each of acting) {
      const { differences, reasons } = await compared(each);
      // Without a caller who can read the list, nothing was compared.
      expect([labelOf(each), differences, Object.keys(reasons)]).toEqual([
        labelOf(each),
        [],
        expect.arrayContaining(['platform-administrator']),
      ]);
    }
  });

  it('is refused for the reason that the state of the object gives, and the list says the same', async () => {
    const refused = async (action: string, object: string, variables?: Variables) => {
      const acting = actingOperations().find((each) => each.action === action && each.object.endsWith(object));
      if (!acting) throw new Error(`there is no ${action} of ${object}`);
      const { differences, reasons } = await compared(acting, variables);
      expect(differences).toEqual([]);
      return reasons['platform-administrator'];
    };

    await change('OrganizationUser', own('userID'), { state: 'suspended' });
    expect(await refused('invitation', '/users/{userID}')).toBe('the user is suspended: set the state to active first');
    await change('OrganizationUser', own('userID'), { state: 'active', acceptance: 'declined' });
    expect(await refused('invitation', '/users/{userID}')).toBe('the user has declined to join');

    expect(await refused('rotate', '/oauth2clients/{oauth2ClientID}')).toMatch(/is public and has no secret/);
    await change('OAuth2Client', own('oauth2ClientID'), { secretDigest: '0'.repeat(64) });
    expect(await refused('rotate', '/oauth2clients/{oauth2ClientID}')).toBe('allowed');

    await change('Organization', other('organizationID'), { domain: 'example.org', verifiedDomain: 'example.org' });
    await change('Organization', own('organizationID'), { domain: 'example.org' });
    expect(await refused('verification', '/organizations/{organizationID}')).toMatch(
      /another organization has verified/,
    );

    const configured = { subject: 'platform-reader@example.com' };
    expect(await refused('delete', '/globalroles/{subject}', configured)).toMatch(/set in the configuration/);

    const { storageClassID } = (await stored('FileStorage', own('filestorageID'))).spec as {
      readonly storageClassID: string;
    };
    expect(
      await refused('delete', '/filestorageclasses/{fileStorageClassID}', { fileStorageClassID: storageClassID }),
    ).toMatch(/is in use by file storage/);

    // The server of the sibling project: the one of this project must stay as it is for the other tests.
    await change('Server', tenants.variable('serverID', 'sibling project'), { image: { id: own('imageID') } });
    expect(await refused('delete', '/images/{imageID}')).toMatch(
      /is in use by server walked .*: delete it, or give it/,
    );
  });

  it('is refused as the list says while the object is being deleted', async () => {
    const acting = actingOperations();
    for (const [variable, kind] of Object.entries(kinds)) {
      await startDeletion(kind, own(variable));
      const ofObject = acting.filter(({ object }) => object.endsWith(`{${variable}}`));
      for (const each of ofObject) expect(await compared(each)).toMatchObject({ differences: [] });
      const [change] = ofObject.filter(({ action }) => action === 'update');
      if (change)
        expect((await compared(change)).reasons).toMatchObject({
          'platform-administrator': expect.stringMatching(/ is being deleted$/) as string,
        });
    }
    const walked = new Set(acting.map(({ object }) => object.split('/').at(-1)));
    expect([...walked].toSorted()).toEqual([...Object.keys(kinds).map((each) => `{${each}}`), ...notStored].toSorted());
  });
});
