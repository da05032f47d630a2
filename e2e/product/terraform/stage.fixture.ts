import { generateKeyPairSync } from 'node:crypto';

import { child } from '../../../packages/core/src/testing/json.ts';
import type { Product } from '../running.fixture.ts';
import type { TestRegion } from '../test-region.fixture.ts';
import { Client } from './client.fixture.ts';
import { DataSources } from './data-sources.fixture.ts';
import { Terraform } from './lifecycle.fixture.ts';
import { resourceTypes, type Attributes } from './resources.fixture.ts';

/** The values of a resource that only has a name. */
export function called(name: string): Attributes {
  return { name, description: null, tags: null };
}

export const ssh = { direction: 'ingress', protocol: 'tcp', port: 22, portMax: null, prefix: '0.0.0.0/0' };

/** A new public key, as `ssh-keygen` writes it. */
export function publicKey(): string {
  const der = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
  const field = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from('ssh-ed25519')), field(der.subarray(-32))]).toString('base64')} somebody@example.com`;
}

export type Stage = Awaited<ReturnType<typeof startTerraform>>;

/** A provider for the demo organization of a product, and objects that the test resources can refer to. */
export async function startTerraform(product: Product, region: TestRegion) {
  const {
    endpoints,
    token = '',
    organizationId = '',
    projectId = '',
    regionId: simulatedId = '',
    secondaryRegionId = '',
  } = product.credentials;
  const { patience_ms, ...materials } = region;
  const { regionId } = region;
  const client = new Client({ endpoints, token, organizationId, projectId, regionId }, product.send);
  const terraform = new Terraform(client, patience_ms);
  const turn = (knobs: object) =>
    product.call('region', 'PUT', `/api/v2/regions/${simulatedId}/simulation`, { body: knobs });
  // Without this delay, storage that reports its attachment too early would not be noticed.
  await turn({ fileStorage_ms: 250 });
  const at = `/api/v1/organizations/${organizationId}`;
  await product.call('identity', 'PUT', `${at}/quotas`, {
    body: { quotas: ['networks', 'servers', 'publicips'].map((kind) => ({ kind, quantity: 100 })) },
  });
  const idOf = async (service: 'identity' | 'region', path: string, name: string) => {
    const found = (await client.list(service, path)).find((item) => child(item, 'metadata', 'name') === name);
    return String(child(found, 'metadata', 'id'));
  };
  const open = async (name: string, prefix: string) =>
    (await terraform.create(resourceTypes.network, { ...called(name), prefix, dnsNameservers: [], routes: null })).id;
  const networkId = await open('home', '10.8.0.0/24');
  return {
    product,
    /** Changes settings of the simulated cloud. */
    turn,
    client,
    terraform,
    data: new DataSources(client),
    ...materials,
    projectId,
    secondaryRegionId,
    networkId,
    otherNetworkId: await open('away', '10.9.0.0/24'),
    securityGroupId: (
      await terraform.create(resourceTypes.securityGroup, { ...called('shared'), networkId, rules: [ssh] })
    ).id,
    authorityId: (
      await terraform.create(resourceTypes.sshCertificateAuthority, { ...called('shared'), publicKey: publicKey() })
    ).id,
    storageClassId: await idOf('region', `/api/v2/filestorageclasses?regionID=${simulatedId}`, 'files-north'),
    roleId: await idOf('identity', `${at}/roles`, 'reader'),
    groupId: await idOf('identity', `${at}/groups`, 'readers'),
    userId: String(child((await client.list('identity', `${at}/users`))[0], 'metadata', 'id')),
  };
}
