import { expect } from 'vitest';

import type { Answer, Method } from '@unikorn/identity/testing';

import {
  standardFlavor,
  startCompute,
  ubuntuImage,
  type RunningCompute,
  type StartComputeOptions,
} from '../../testing/index.ts';

export const nowhere = 'f0000000-0000-4000-8000-00000000dead';
export const flavors = {
  arm: '88888888-8888-8888-8888-888888888888',
  metal: '99999999-9999-9999-9999-999999999999',
  manyGpus: '77777777-7777-7777-7777-777777777777',
} as const;
export const images = {
  arm: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  metal: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
} as const;
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B';

type Headers = Readonly<Record<string, string>>;

export const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
export const mentioning = (text: string): unknown => expect.stringContaining(text);

export interface Seen {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly provisioningStatus: string;
    readonly tags?: readonly { readonly name: string; readonly value: string }[];
  } & Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, string | undefined>>;
}

function isSeen(body: unknown): body is Seen {
  return typeof body === 'object' && body !== null && 'metadata' in body;
}

/** The resource in a response; throws if there is none. */
export function seen({ status, body }: Pick<Answer, 'status' | 'body'>): Seen {
  if (!isSeen(body)) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

export function idsOf({ body }: Pick<Answer, 'body'>): readonly string[] {
  return (body as readonly Seen[]).map(({ metadata }) => metadata.id);
}

export function reasonOf({ body }: Pick<Answer, 'body'>): string {
  return (body as { readonly error_description: string }).error_description;
}

/** More than any test needs. */
const plenty = { servers: 1000, gpus: 1000, publicips: 1000, networks: 1000 };

/** Compute, and an organization with enough quota and an administrator. */
export async function startInstances(options?: StartComputeOptions) {
  const running = await startCompute(options);
  const tenant = tenantOf(running, running);
  await tenant.limit(plenty);
  return { ...running, ...tenant, openTenant: () => openTenant(running) };
}

export type Instances = Awaited<ReturnType<typeof startInstances>>;

/** Another organization with a project, a network, and a user with all permissions there. */
async function openTenant(running: RunningCompute) {
  const { found, request, eventually, operatorToken: token, regionId } = running;
  const organizationId = await found.organization();
  const robot = await found.robot(organizationId, ['administrator']);
  const projectId = await found.project(organizationId);
  const body = {
    metadata: { name: 'network' },
    spec: { organizationId, projectId, regionId, prefix: '10.0.0.0/16', dnsNameservers: [] },
  };
  const networkId = seen(await request('POST', '/region/api/v2/networks', { token, body })).metadata.id;
  await eventually(
    async () =>
      seen(await request('GET', `/region/api/v2/networks/${networkId}`, { token })).metadata.provisioningStatus,
    (status) => status === 'provisioned',
  );
  return {
    organizationId,
    projectId,
    networkId,
    token: robot.token,
    ...tenantOf(running, { organizationId, projectId, networkId, token: robot.token }),
  };
}

interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly networkId: string;
  readonly token: string;
}

/** The actions of a user on the instances of a project. */
function tenantOf(
  { call, request, eventually, operatorToken }: RunningCompute,
  { organizationId, projectId, networkId, token }: Place,
) {
  const scope = { organizationId, projectId };
  const wanted = { flavorId: standardFlavor, imageId: ubuntuImage } as const;
  const ask = (method: Method, path = '', body?: object, headers: Headers = {}) =>
    call(method, `/api/v2/instances${path}`, { token, headers, ...(body ? { body } : {}) });
  const make = async (path: string, name: string, spec: object) =>
    seen(await request('POST', `/region/api/v2/${path}`, { token: operatorToken, body: { metadata: { name }, spec } }))
      .metadata.id;
  const quotas = `/identity/api/v1/organizations/${organizationId}/quotas`;
  const read = async (id: string) => seen(await ask('GET', `/${id}`));
  const bodyOf = (name: string, spec: object = {}, metadata: object = {}) => ({
    metadata: { name, ...metadata },
    spec: { ...scope, networkId, ...wanted, ...spec },
  });
  return {
    scope,
    wanted,
    ask,
    bodyOf,
    create: (name: string, spec?: object, metadata?: object, headers?: Headers) =>
      ask('POST', '', bodyOf(name, spec, metadata), headers),
    update: (id: string, name: string, spec: object = {}, metadata: object = {}) =>
      ask('PUT', `/${id}`, { metadata: { name, ...metadata }, spec: { ...wanted, ...spec } }),
    read,
    until: (id: string, provisioningStatus: string) =>
      eventually(
        () => read(id),
        ({ metadata }) => metadata.provisioningStatus === provisioningStatus,
      ),
    gone: (id: string) =>
      eventually(
        () => ask('GET', `/${id}`),
        ({ status }) => status === 404,
      ),
    securityGroup: (name = 'web', network = networkId) =>
      make('securitygroups', name, { networkId: network, rules: [] }),
    authority: (project = projectId) =>
      make('sshcertificateauthorities', 'ca', { organizationId, projectId: project, publicKey }),
    /** The quotas of the organization, by kind. */
    limit: async (limits: Readonly<Record<string, number>>): Promise<void> => {
      await request('PUT', quotas, {
        token: operatorToken,
        body: { quotas: Object.entries(limits).map(([kind, quantity]) => ({ kind, quantity })) },
      });
    },
    /** The quota usage of the organization for its instances. */
    charged: async (): Promise<Readonly<Record<string, number>>> => {
      const { body } = await request('GET', quotas, { token });
      const { quotas: used } = body as { readonly quotas: readonly { readonly kind: string; readonly used: number }[] };
      return Object.fromEntries(
        used
          .filter(({ kind }) => ['servers', 'gpus', 'publicips'].includes(kind))
          .map((quota) => [quota.kind, quota.used]),
      );
    },
  };
}
