import { encodePrincipal } from '@unikorn/core/access';
import { annotations, labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import type { IdentityClient } from '../client/index.ts';
import type { IdentityConfiguration } from '../configuration.ts';
import { allocationIdOf, OAuth2Client, OAuth2Provider } from '../kinds/index.ts';
import type { AccessStage, Situation } from './access-walk.ts';
import { certificateHeaders } from './certificates.ts';
import { Founder } from './founder.ts';
import { signIn } from './sign-in.ts';

/** An id that no object has. */
export const absentId = 'f0000000-0000-4000-8000-00000000dead';
const rivalName = 'rivals-secret-name';
/** A user of both organizations, so that one body fits both. */
const target = 'target@example.com';
const tenantRoles = ['administrator', 'auditor', 'user', 'reader'] as const;
const platformRoles = ['platform-administrator', 'platform-reader'] as const;
const serviceNames = ['unikorn-region', 'unikorn-compute', 'unikorn-kubernetes', 'uni-storage'] as const;

/** The configuration for a walk. */
export const accessConfiguration: IdentityConfiguration = {
  globalBindings: Object.fromEntries(platformRoles.map((role) => [`${role}@example.com`, [role]])),
};

export interface TenantsOptions {
  /** The store itself, without interception. */
  readonly store: Store;
  readonly world: World;
  readonly client: IdentityClient;
}

/** All objects of one organization or project that a path of identity can contain. */
type Estate = Readonly<Record<string, string>>;

async function furnish(
  { store, world, client }: TenantsOptions,
  found: Founder,
  organizationID: string,
  groupIDs: readonly string[] = [],
): Promise<Estate> {
  const projectID = await found.project(organizationID, groupIDs);
  const scope = { organizationId: organizationID, projectId: projectID };
  await client.charge(
    { actor: 'test' },
    {
      scope,
      resource: { kind: 'networks.region.unikorn-cloud.org', id: projectID },
      amounts: { networks: { committed: 1, reserved: 0 } },
    },
  );
  const provider = await store.create(OAuth2Provider, {
    metadata: {
      name: world.uuid(),
      labels: { [labels.name]: 'provider', [labels.organization]: organizationID },
      annotations: { [annotations.creator]: 'test' },
    },
    spec: { issuer: 'https://login.example.com', clientID: 'id' },
  });
  const application = await store.create(OAuth2Client, {
    metadata: {
      name: world.uuid(),
      labels: { [labels.name]: 'application' },
      annotations: { [annotations.creator]: 'test' },
    },
    spec: { redirectUris: ['https://app.example.com/callback'] },
  });
  return {
    organizationID,
    projectID,
    groupid: await found.group(organizationID, []),
    serviceAccountID: (await found.serviceAccount(organizationID)).id,
    providerID: provider.metadata.name,
    oauth2ClientID: application.metadata.name,
    allocationID: allocationIdOf(organizationID, { kind: 'networks.region.unikorn-cloud.org', id: projectID }),
    reference: 'networks.region.unikorn-cloud.org/x',
  };
}

/** Two organizations, one of them with a user of every role, for a walk through every route. */
export async function accessTenants(options: TenantsOptions): Promise<
  Pick<AccessStage, 'callers' | 'tenants' | 'secrets' | 'variable' | 'body'> & {
    readonly estates: Readonly<Record<string, Estate>>;
  }
> {
  const found = new Founder(options.store, options.world);
  const rival = new Founder(options.store, options.world, rivalName);
  const [own, other] = [await found.organization(), await rival.organization()];
  const groups = new Map<string, string>();
  for (const role of tenantRoles) groups.set(role, await found.group(own, [role], { users: [`${role}@example.com`] }));
  for (const role of [...tenantRoles, 'nobody']) await found.user(`${role}@example.com`, own);
  for (const role of platformRoles) await found.user(`${role}@example.com`);
  const [userID, foreignUserID] = [await found.user(target, own), await rival.user(target, other)];
  const robot = await found.serviceAccount(own);

  const ownEstate = { ...(await furnish(options, found, own, [...groups.values()])), userID };
  const estates: Readonly<Record<string, Estate>> = {
    'own project': ownEstate,
    'sibling project': { ...(await furnish(options, found, own)), userID },
    'other organization': { ...(await furnish(options, rival, other)), userID: foreignUserID },
  };
  const bearer = async (subject: string) => ({ authorization: `Bearer ${await signIn(options, subject)}` });
  const people = await Promise.all(
    [...tenantRoles, 'nobody', ...platformRoles].map(
      async (role) => [role, await bearer(`${role}@example.com`)] as const,
    ),
  );
  const services = serviceNames.map(
    (name) => [name, { ...certificateHeaders(name), 'x-principal': encodePrincipal({ actor: 'test' }) }] as const,
  );
  return {
    callers: {
      ...Object.fromEntries(people),
      'service account': { authorization: `Bearer ${robot.token}` },
      ...Object.fromEntries(services),
    },
    tenants: [...tenantRoles, 'nobody', 'service account'],
    secrets: [rivalName],
    estates,
    variable: (name, situation) => valueOf(estates, name, situation),
    body: (operationId, situation) => identityBody(operationId, valueOf(estates, 'projectID', situation)),
  };
}

function valueOf(estates: Readonly<Record<string, Estate>>, name: string, situation: Situation): string {
  if (name === 'reference') return 'networks.region.unikorn-cloud.org/x';
  if (name === 'subject') return 'granted@example.com';
  if (situation === 'absent object' || situation === 'absent organization') return absentId;
  const value = estates[situation]?.[name];
  if (value === undefined) throw new Error(`the walk does not know what to put for {${name}}`);
  return value;
}

/** A valid body of an operation. Charges are for the project. */
export function identityBody(operationId: string, projectId: string): object {
  const metadata = { name: 'walked' };
  const bodies: Readonly<Record<string, object>> = {
    organization: { metadata, spec: { organizationType: 'adhoc' } },
    project: { metadata, spec: { groupIDs: [] } },
    group: { metadata, spec: { serviceAccountIDs: [], roleIDs: [] } },
    user: { spec: { subject: target, state: 'active', groupIDs: [] } },
    serviceaccount: { metadata, spec: { groupIDs: [] } },
    oauth2provider: { metadata, spec: { issuer: 'https://login.example.com', clientID: 'id', clientSecret: 'secret' } },
    oauth2client: { metadata, spec: { redirectUris: ['https://app.example.com/callback'] } },
    quotas: { quotas: [{ kind: 'networks', quantity: 7 }] },
    changepassword: { current: 'what it was before', password: 'correct horse battery staple' },
    setpassword: { subject: target, password: 'correct horse battery staple' },
    grantglobalroles: { roles: ['platform-reader'] },
    allocation: {
      metadata,
      spec: {
        kind: 'networks.region.unikorn-cloud.org',
        id: projectId,
        allocations: [{ kind: 'networks', committed: 2, reserved: 0 }],
      },
    },
  };
  const body = bodies[operationId.replace(/^(create|update)/, '').toLowerCase()];
  if (!body) throw new Error(`the walk has no body for ${operationId}`);
  return body;
}
