import type { Answer, Call, Method } from '@unikorn/identity/testing';

/** Facts about the cloud of a region that bodies need. */
export interface Materials {
  readonly flavorId: string;
  readonly imageId: string;
  /** The region of file storage and of imported images, where it is another one: not all clouds have these. */
  readonly otherRegionId?: string;
}

const simulatedMaterials: Materials = {
  flavorId: '11111111-1111-1111-1111-111111111111',
  imageId: '33333333-3333-3333-3333-333333333333',
};
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B';
const imageSpec = {
  architecture: 'x86_64',
  virtualization: 'virtualized',
  os: { kernel: 'linux', family: 'debian', distro: 'ubuntu', version: '24.04' },
  uri: 'https://images.invalid/disk.raw',
};
const rules = [{ direction: 'ingress', protocol: 'tcp', port: 22, prefix: '0.0.0.0/0' }];
const listeners = [{ name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } }];

/** One resource of every type, by the name of its path variable. */
export type Estate = Readonly<Record<string, string>>;

/** Access to a service for tests, wherever it runs. */
export interface Hands {
  readonly call: (method: Method, path: string, options: Call) => Promise<Pick<Answer, 'status' | 'body'>>;
  readonly eventually: <T>(look: () => Promise<T>, holds: (seen: T) => boolean) => Promise<T>;
  /** The token of a caller with all rights. */
  readonly operatorToken: string;
}

interface Made {
  readonly metadata: { readonly id: string; readonly provisioningStatus?: string };
}

/**
 * Creates one resource of every type in one project, through the API, as a platform operator. The server has its own
 * network, and the storage its own class, so that the other resources can be deleted.
 */
export async function furnishRegion(
  hands: Hands,
  tenancy: Estate,
  name: string,
  openClass: () => Promise<string>,
  materials?: Materials,
): Promise<Estate> {
  const made: Record<string, string> = { ...tenancy };
  const create = async (param: string, operationId: string, path: string) => {
    made[param] = await make(hands, path, {
      ...regionBody(operationId, (word) => made[word] ?? '', materials),
      metadata: { name },
    });
  };
  const openNetwork = async () => {
    await create('networkID', 'createNetwork', '/api/v2/networks');
    await ready(hands, `/api/v2/networks/${made['networkID']}`);
  };
  await openNetwork();
  await create('serverID', 'createServer', '/api/v2/servers');
  await ready(hands, `/api/v2/servers/${made['serverID']}`);
  made['fileStorageClassID'] = await openClass();
  await create('filestorageID', 'createFileStorage', '/api/v2/filestorage');
  made['fileStorageClassID'] = await openClass();
  await openNetwork();
  await create('securityGroupID', 'createSecurityGroup', '/api/v2/securitygroups');
  await create('loadBalancerID', 'createLoadBalancer', '/api/v2/loadbalancers');
  await create('sshCertificateAuthorityID', 'createSshCertificateAuthority', '/api/v2/sshcertificateauthorities');
  await create(
    'imageID',
    'importImage',
    `/api/v1/organizations/${made['organizationID']}/regions/${materials?.otherRegionId ?? made['regionID']}/images`,
  );
  return made;
}

/** Additional resources for some operations, by name: a stopped server, one to stop, and an empty network. */
export async function regionSpares(hands: Hands, body: (operationId: string) => object): Promise<Estate> {
  const spare = async (operationId: string, path: string, name: string) => {
    const id = await make(hands, path, { ...body(operationId), metadata: { name } });
    await ready(hands, `${path}/${id}`);
    return id;
  };
  const stopped = await spare('createServer', '/api/v2/servers', 'stopped');
  await hands.call('POST', `/api/v2/servers/${stopped}/stop`, { token: hands.operatorToken });
  return {
    'POST /api/v2/servers/{serverID}/start': stopped,
    'POST /api/v2/servers/{serverID}/stop': await spare('createServer', '/api/v2/servers', 'running'),
    'DELETE /api/v2/networks/{networkID}': await spare('createNetwork', '/api/v2/networks', 'unused'),
  };
}

async function make({ call, operatorToken: token }: Hands, path: string, body: object): Promise<string> {
  const answer = await call('POST', path, { token, body });
  if (answer.status >= 300)
    throw new Error(`POST ${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return (answer.body as Made).metadata.id;
}

async function ready({ call, eventually, operatorToken: token }: Hands, path: string): Promise<void> {
  await eventually(
    async () => ((await call('GET', path, { token })).body as Made).metadata.provisioningStatus,
    (status) => status === 'provisioned',
  );
}

/** A valid body of an operation, with the ids that `word` returns. */
export function regionBody(
  operationId: string,
  word: (name: string) => string,
  { flavorId, imageId, otherRegionId }: Materials = simulatedMaterials,
): object {
  const scope = { organizationId: word('organizationID'), projectId: word('projectID') };
  const network = { networkId: word('networkID') };
  const storageRegion = { regionId: otherRegionId ?? word('regionID') };
  const storage = { sizeGiB: 1, storageType: { NFS: { rootSquash: true } } };
  const specs: Readonly<Record<string, object>> = {
    createregion: { type: 'simulated' },
    updateregion: { type: 'simulated' },
    createnetwork: { ...scope, regionId: word('regionID'), prefix: '10.0.0.0/24', dnsNameservers: [] },
    updatenetwork: { dnsNameservers: [] },
    createsecuritygroup: { ...network, rules },
    updatesecuritygroup: { rules },
    createloadbalancer: { ...network, publicIP: false, listeners },
    updateloadbalancer: { publicIP: false, listeners },
    createsshcertificateauthority: { ...scope, publicKey },
    createserver: { ...network, flavorId, imageId },
    updateserver: { flavorId, imageId },
    snapshotserver: {},
    createfilestorage: { ...scope, ...storage, ...storageRegion, storageClassId: word('fileStorageClassID') },
    updatefilestorage: storage,
    createfilestorageclass: { ...storageRegion, provisioner: 'simulated', protocols: ['nfsv4'] },
    importimage: imageSpec,
  };
  const bare: Readonly<Record<string, object>> = {
    updatesimulation: { call_ms: 0 },
    driftsimulation: { kind: 'server', id: word('serverID'), drift: 'stopped' },
  };
  const spec = specs[operationId.toLowerCase()];
  const body =
    bare[operationId.toLowerCase()] ??
    (spec && { metadata: { name: operationId === 'createServer' ? 'another' : 'walked' }, spec });
  if (!body) throw new Error(`the walk has no body for ${operationId}`);
  return body;
}
