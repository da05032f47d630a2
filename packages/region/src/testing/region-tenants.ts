import { accessTenants } from '@unikorn/identity/testing';
import type { AccessStage, Situation } from '@unikorn/identity/testing/access';

import { labels } from '@unikorn/core/resource';

import { FileStorageClass } from '../kinds/index.ts';
import type { RunningRegion } from './start-region.ts';

const absent = 'f0000000-0000-4000-8000-00000000dead';
const flavorId = '11111111-1111-1111-1111-111111111111';
const imageId = '33333333-3333-3333-3333-333333333333';
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B';
const imageSpec = { architecture: 'x86_64', virtualization: 'virtualized', os: { kernel: 'linux', family: 'debian', distro: 'ubuntu', version: '24.04' }, uri: 'https://images.example.com/disk.raw' };
const listeners = [{ name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } }];

type Estate = Readonly<Record<string, string>>;

/** What it takes of whatever region runs in. */
export type RegionStage = Pick<RunningRegion, 'store' | 'world' | 'server' | 'identity' | 'regionId' | 'openRegion' | 'call' | 'eventually' | 'operatorToken'>;

/** Two organizations with something of everything in region, and somebody of every role in one of them. */
export async function regionTenants(running: RegionStage): Promise<Pick<AccessStage, 'callers' | 'tenants' | 'secrets' | 'variable' | 'body'>> {
  const { store, world, identity, openRegion, regionId } = running;
  const tenants = await accessTenants({ store, world, client: identity.client('unikorn-region') });
  const [rivalName = ''] = tenants.secrets;
  const { 'own project': own = {}, 'sibling project': sibling = {}, 'other organization': other = {} } = tenants.estates;
  for (const { organizationID = '' } of [own, other]) await allowNetworks(running, organizationID, tenants.callers['platform-administrator'] ?? {});
  const rivalRegion = await openRegion({ security: { organizations: [{ id: other['organizationID'] ?? '' }] } });
  const estates: Readonly<Record<string, Estate>> = {
    'own project': await furnish(running, own, regionId, 'walked'),
    'sibling project': await furnish(running, sibling, regionId, 'walked'),
    'other organization': await furnish(running, other, rivalRegion, rivalName),
  };
  const value = (name: string, situation: Situation) => (name === 'reference' || situation.startsWith('absent') ? tenants.variable(name, situation) : (estates[situation]?.[name] ?? tenants.variable(name, situation)));
  return { ...tenants, variable: value, body: (operationId, situation) => bodyOf(operationId, (name) => (situation.startsWith('absent') ? absent : value(name, situation))) };
}

/** More than an organization has at first, so that a walk does not end at a limit. */
async function allowNetworks({ server }: RegionStage, organizationId: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { statusCode, body } = await server.inject({ method: 'PUT', url: `/identity/api/v1/organizations/${organizationId}/quotas`, headers, payload: { quotas: [{ kind: 'networks', quantity: 100 }] } });
  if (statusCode !== 200) throw new Error(`the quota could not be raised: ${statusCode} ${body}`);
}

interface Made {
  readonly metadata: { readonly id: string; readonly provisioningStatus?: string };
}

/**
 * Something of everything in one project, made through the API by whoever operates the platform. What the walk deletes is
 * not in use: the server has a network, and the storage a class, of its own.
 */
async function furnish({ call, eventually, operatorToken: token, store, world }: RegionStage, tenancy: Estate, regionID: string, name: string): Promise<Estate> {
  const at = tenancy['organizationID'] ?? '';
  const made: Record<string, string> = { ...tenancy, regionID };
  const create = async (param: string, operationId: string, path: string) => {
    const body = { ...bodyOf(operationId, (word) => made[word] ?? ''), metadata: { name } };
    const answer = await call('POST', path, { token, body });
    if (answer.status >= 300) throw new Error(`${operationId} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    made[param] = (answer.body as Made).metadata.id;
  };
  const ready = (path: string) => eventually(async () => ((await call('GET', path, { token })).body as Made).metadata.provisioningStatus, (status) => status === 'provisioned');
  const openClass = async () => {
    const id = (made['fileStorageClassID'] = world.uuid());
    await store.create(FileStorageClass, { metadata: { name: id, labels: { [labels.name]: name, [labels.region]: regionID, [labels.organization]: at } }, spec: { provisioner: 'simulated', protocols: ['nfsv4'] } });
  };
  const openNetwork = async () => {
    await create('networkID', 'createNetwork', '/api/v2/networks');
    await ready(`/api/v2/networks/${made['networkID']}`);
  };
  await openNetwork();
  await create('serverID', 'createServer', '/api/v2/servers');
  await ready(`/api/v2/servers/${made['serverID']}`);
  await openClass();
  await create('filestorageID', 'createFileStorage', '/api/v2/filestorage');
  await openClass();
  await openNetwork();
  await create('securityGroupID', 'createSecurityGroup', '/api/v2/securitygroups');
  await create('loadBalancerID', 'createLoadBalancer', '/api/v2/loadbalancers');
  await create('sshCertificateAuthorityID', 'createSshCertificateAuthority', '/api/v2/sshcertificateauthorities');
  await create('imageID', 'importImage', `/api/v1/organizations/${at}/regions/${regionID}/images`);
  return made;
}

/** A valid body of an operation, about what the words stand for. */
function bodyOf(operationId: string, word: (name: string) => string): object {
  const scope = { organizationId: word('organizationID'), projectId: word('projectID') };
  const network = { networkId: word('networkID') };
  const storage = { sizeGiB: 1, storageType: { NFS: { rootSquash: true } } };
  const specs: Readonly<Record<string, object>> = {
    createregion: { type: 'simulated' },
    updateregion: { type: 'simulated' },
    createnetwork: { ...scope, regionId: word('regionID'), prefix: '10.0.0.0/24', dnsNameservers: [] },
    updatenetwork: { dnsNameservers: [] },
    createsecuritygroup: { ...network, rules: [] },
    updatesecuritygroup: { rules: [] },
    createloadbalancer: { ...network, publicIP: false, listeners },
    updateloadbalancer: { publicIP: false, listeners },
    createsshcertificateauthority: { ...scope, publicKey },
    createserver: { ...network, flavorId, imageId },
    updateserver: { flavorId, imageId },
    snapshotserver: {},
    createfilestorage: { ...scope, ...storage, regionId: word('regionID'), storageClassId: word('fileStorageClassID') },
    updatefilestorage: storage,
    createfilestorageclass: { regionId: word('regionID'), provisioner: 'simulated', protocols: ['nfsv4'] },
    importimage: imageSpec,
  };
  const bare: Readonly<Record<string, object>> = { updatesimulation: { call_ms: 0 }, driftsimulation: { kind: 'server', id: word('serverID'), drift: 'stopped' } };
  const spec = specs[operationId.toLowerCase()];
  const body = bare[operationId.toLowerCase()] ?? (spec && { metadata: { name: operationId === 'createServer' ? 'another' : 'walked' }, spec });
  if (!body) throw new Error(`the walk has no body for ${operationId}`);
  return body;
}
