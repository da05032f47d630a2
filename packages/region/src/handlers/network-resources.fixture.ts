import { labels, randomId } from '@unikorn/core/resource';
import { signIn, type Answer, type Method } from '@unikorn/identity/testing';

import { Network, Server } from '../kinds/index.ts';
import { identityOf } from '../placement.ts';
import { simulatedProvider, type Knobs } from '../providers/simulated/index.ts';
import { standardFlavor, ubuntuImage } from '../providers/simulated/simulated.fixture.ts';
import { networkBody, operatorMail, type RunningRegion } from '../testing/index.ts';

export const nowhere = 'f0000000-0000-4000-8000-00000000dead';

export interface Wire {
  readonly metadata: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export function wire({ body }: Pick<Answer, 'body'>): Wire {
  return body as Wire;
}

export function idsOf({ body }: Pick<Answer, 'body'>): readonly string[] {
  return (body as readonly Wire[]).map(({ metadata }) => metadata.id);
}

export function reasonOf({ body }: Pick<Answer, 'body'>): string {
  return (body as { readonly error_description: string }).error_description;
}

/** A new organization with a project and an administrator, in its own region or the default one. */
export async function openTenant(
  running: RunningRegion,
  where: 'the usual region' | 'a region of its own' = 'the usual region',
) {
  const { call, eventually, found, store, world, server } = running;
  const organizationId = await found.organization();
  const { token } = await found.robot(organizationId, ['administrator']);
  const scope = { organizationId, projectId: await found.project(organizationId) };
  const regionId = where === 'the usual region' ? running.regionId : await running.openRegion();

  const ask = (method: Method, path: string, body?: object) =>
    call(method, `/api/v2/${path}`, { token, ...(body ? { body } : {}) });
  const create = (path: string, spec: object, metadata: object = {}) =>
    ask('POST', path, { metadata: { name: 'web', ...metadata }, spec });
  const until = (path: string, holds: (read: Answer) => boolean) => eventually(() => ask('GET', path), holds);
  const provisioned = async (path: string) =>
    wire(await until(path, ({ body }) => wire({ body }).metadata['provisioningStatus'] === 'provisioned'));
  const network = async (prefix = '10.0.0.0/24'): Promise<string> => {
    const { id } = wire(await ask('POST', 'networks', networkBody({ ...scope, regionId }, { prefix }))).metadata;
    await provisioned(`networks/${id}`);
    return id;
  };
  const storedNetwork = async (networkId: string): Promise<Network> => {
    const stored = await store.get(Network, networkId);
    if (!stored) throw new Error(`there is no network ${networkId}`);
    return stored;
  };
  return {
    token,
    scope,
    regionId,
    ask,
    create,
    until,
    provisioned,
    gone: (path: string) => until(path, ({ status }) => status === 404),
    network,
    cloud: simulatedProvider({ store, world, regionId }),
    turn: (change: Partial<Knobs>) => running.operator(regionId).turn(change),
    /** The principal that owns the resources of a network in the cloud. */
    identityOf: async (networkId: string) => identityOf((await storedNetwork(networkId)).metadata),
    /** Sets the quota of the organization for a kind. */
    limit: async (kind: string, quantity: number): Promise<void> => {
      const headers = { authorization: `Bearer ${await signIn(running, operatorMail)}` };
      await server.inject({
        method: 'PUT',
        url: `/identity/api/v1/organizations/${organizationId}/quotas`,
        headers,
        payload: { quotas: [{ kind, quantity }] },
      });
    },
    /** The quota usage of the organization for a kind. */
    charged: async (kind: string): Promise<number> => {
      const response = await server.inject({
        url: `/identity/api/v1/organizations/${organizationId}/quotas`,
        headers: { authorization: `Bearer ${token}` },
      });
      const { quotas } = response.json<{
        readonly quotas: readonly { readonly kind: string; readonly used: number }[];
      }>();
      return quotas.find((quota) => quota.kind === kind)?.used ?? 0;
    },
    /** Stores a server that uses these, without the API. */
    server: async (
      networkId: string,
      {
        securityGroups = [],
        authority,
      }: { readonly securityGroups?: readonly string[]; readonly authority?: string } = {},
    ): Promise<string> => {
      const id = randomId(world);
      const carried = (await storedNetwork(networkId)).metadata.labels;
      const trust =
        authority === undefined
          ? undefined
          : { label: { [labels.sshCertificateAuthority]: authority }, spec: { sshCertificateAuthorityID: authority } };
      await store.create(Server, {
        metadata: {
          name: id,
          labels: { ...carried, [labels.name]: 'vm', [labels.network]: networkId, ...trust?.label },
        },
        spec: {
          flavorID: standardFlavor,
          image: { id: ubuntuImage },
          networks: [{ id: networkId }],
          securityGroups: securityGroups.map((group) => ({ id: group })),
          sshInjection: trust ? 'ca' : 'none',
          ...trust?.spec,
        },
      });
      return id;
    },
  };
}

export type Tenant = Awaited<ReturnType<typeof openTenant>>;
