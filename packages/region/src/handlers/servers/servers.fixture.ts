import { expect } from 'vitest';

import { publicKeys } from '../../sshca/public-key.fixture.ts';
import { networkBody, startRegion, type RunningRegion, type StartRegionOptions } from '../../testing/index.ts';

/** The parts of the simulated catalogue that tests use. */
export const flavors = {
  standard: '11111111-1111-1111-1111-111111111111',
  arm: '88888888-8888-8888-8888-888888888888',
  metal: '99999999-9999-9999-9999-999999999999',
} as const;
export const images = {
  ubuntu: '33333333-3333-3333-3333-333333333333',
  arm: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  metal: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
  debian: 'cccccccc-cccc-4ccc-8ccc-cccccccccccc',
} as const;

export interface Seen {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly provisioningStatus: string;
    readonly healthStatus: string;
    readonly provisioningStatusDetail?: { readonly reason: string; readonly message: string };
  };
  readonly spec: { readonly imageId: string };
  readonly status: Readonly<Record<string, string | undefined>>;
}

/** Matches any text in a response. */
export const anyText: unknown = expect.any(String);
export const mentioning = (text: string): unknown => expect.stringContaining(text);

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

function isSeen(body: unknown): body is Seen {
  return typeof body === 'object' && body !== null && 'metadata' in body;
}

/** The resource in a response that should contain one. */
export function seen({ status, body }: Answered): Seen {
  if (!isSeen(body)) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A region with one ready network, used by a platform operator, because tenants have no right to servers. */
export async function startServers(options?: StartRegionOptions) {
  const region = await startRegion(options);
  const token = region.operatorToken;
  const make = async (path: string, name: string, spec: object): Promise<string> =>
    seen(await region.call('POST', path, { token, body: { metadata: { name }, spec } })).metadata.id;
  const scope = { organizationId: region.organizationId, projectId: region.projectId };
  const network = (name = 'net') => make('/api/v2/networks', name, networkBody(region).spec);
  const networkId = await network();
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: object) =>
    region.call(method, `/api/v2/servers${path}`, { token, ...(body ? { body } : {}) });
  const wanted = { flavorId: flavors.standard, imageId: images.ubuntu } as const;
  return {
    ...region,
    token,
    networkId,
    network,
    securityGroup: (name = 'web', id = networkId) => make('/api/v2/securitygroups', name, { networkId: id, rules: [] }),
    authority: (projectId = region.projectId) =>
      make('/api/v2/sshcertificateauthorities', 'ca', { ...scope, projectId, publicKey: publicKeys.ed25519 }),
    wanted,
    servers: call,
    create: (spec: object = {}, metadata: object = {}) =>
      call('POST', '', { metadata: { name: 'web-1', ...metadata }, spec: { ...wanted, networkId, ...spec } }),
    update: (id: string, spec: object = {}, metadata: object = {}) =>
      call('PUT', `/${id}`, { metadata: { name: 'web-1', ...metadata }, spec: { ...wanted, ...spec } }),
    read: async (id: string) => seen(await call('GET', `/${id}`)),
    until: (id: string, provisioningStatus: string, within_ms?: number) =>
      provisioned(region, token, id, provisioningStatus, within_ms),
  };
}

async function provisioned(
  region: RunningRegion,
  token: string,
  id: string,
  provisioningStatus: string,
  within_ms?: number,
): Promise<Seen> {
  const read = async () => seen(await region.call('GET', `/api/v2/servers/${id}`, { token }));
  return region.eventually(read, (server) => server.metadata.provisioningStatus === provisioningStatus, within_ms);
}
