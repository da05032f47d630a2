import { roleIdOf } from '@unikorn/identity';

import type { ServiceName } from '../running.fixture.ts';
import { settled, type Facts } from './facts.fixture.ts';
import type { Ask, ServedState } from './opened.fixture.ts';

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B';
const flavorId = '11111111-1111-1111-1111-111111111111';
const debian = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';
const ubuntu = '33333333-3333-3333-3333-333333333333';
const instantly = {
  call_ms: 0,
  build_ms: 0,
  power_ms: 0,
  delete_ms: 0,
  image_ms: 0,
  loadBalancer_ms: 0,
  fileStorage_ms: 0,
};
const slowly = { ...instantly, build_ms: 10_000, delete_ms: 10_000 };
const userData = Buffer.from('#cloud-config\nruncmd: [touch /tmp/made-by-the-fixture]\n').toString('base64');

interface Made {
  readonly metadata: { readonly id: string };
  readonly status?: { readonly accessToken?: string };
}

/** Sends a request that must succeed. */
async function granted(
  ask: Ask,
  service: ServiceName,
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Made> {
  const answer = await ask(service, method, path, { ...(body ? { body } : {}), ...(headers ? { headers } : {}) });
  if (answer.status >= 300)
    throw new Error(`${method} ${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Made;
}

/** The data that later steps need. */
export interface Furnished extends Pick<Facts, 'tokens' | 'gone'> {
  readonly organizationId: string;
  readonly projectId: string;
  readonly regionId: string;
  readonly networkId: string;
  readonly storageClassId: string;
  /** Instances that are left in the middle of an operation. */
  readonly going: string;
  readonly rebuilding: string;
}

/** Two organizations with one resource of every type, created through the API in addition to the demo data. */
export async function furnishState({ ask, credentials }: ServedState): Promise<Furnished> {
  const {
    organizationId = '',
    projectId = '',
    secondaryProjectId = '',
    regionId = '',
    secondaryRegionId = '',
    token = '',
    networkId = '',
  } = credentials;
  const make = async (service: ServiceName, path: string, name: string, spec: object, metadata: object = {}) =>
    granted(ask, service, 'POST', path, { metadata: { name, ...metadata }, spec });
  for (const id of [regionId, secondaryRegionId])
    await granted(ask, 'region', 'PUT', `/api/v2/regions/${id}/simulation`, instantly);
  await settled(ask);
  const tags = [
    { name: 'team', value: 'platform' },
    { name: 'cost-centre', value: '4711' },
  ];

  // Identity: users, groups, accounts, a provider and quotas, in the demo's organization and in a new one.
  const other = (
    await make(
      'identity',
      '/api/v1/organizations',
      'acme',
      { organizationType: 'adhoc' },
      { description: 'the second tenant', tags },
    )
  ).metadata.id;
  const tokens: Record<string, string> = { administrator: token };
  for (const [at, prefix] of [
    [`/api/v1/organizations/${organizationId}`, 'demo'],
    [`/api/v1/organizations/${other}`, 'acme'],
  ] as const) {
    const group = async (name: string, roles: readonly string[], more: object = {}) =>
      (
        await make('identity', `${at}/groups`, `${prefix}-${name}`, {
          serviceAccountIDs: [],
          roleIDs: roles.map(roleIdOf),
          ...more,
        })
      ).metadata.id;
    const [owners, operators, readers] = [
      await group('owners', ['administrator']),
      await group('operators', ['user']),
      await group('auditors', ['auditor', 'reader']),
    ];
    await group('empty', []);
    await group('subjects', ['reader'], {
      subjects: [
        {
          id: `federated@${prefix}.example`,
          issuer: 'https://login.example.com',
          email: `federated@${prefix}.example`,
        },
      ],
    });
    for (const [name, state, groupIDs] of [
      ['alice', 'active', [owners, operators]],
      ['bob', 'pending', [readers]],
      ['carol', 'suspended', [operators]],
    ] as const) {
      await granted(ask, 'identity', 'POST', `${at}/users`, {
        spec: { subject: `${name}@${prefix}.example`, state, groupIDs },
      });
    }
    await granted(ask, 'identity', 'POST', `${at}/users`, {
      spec: { subject: 'both@everywhere.example', state: 'active', groupIDs: [readers] },
    });
    for (const [name, groupIDs] of [
      ['deployer', [operators]],
      ['owner', [owners]],
      ['idle', []],
    ] as const) {
      tokens[`${prefix}-${name}`] =
        (await make('identity', `${at}/serviceaccounts`, `${prefix}-${name}`, { groupIDs })).status?.accessToken ?? '';
    }
    await make('identity', `${at}/oauth2providers`, `${prefix}-login`, {
      issuer: `https://login.${prefix}.example`,
      clientID: 'unikorn',
      clientSecret: 'a-secret-of-the-fixture',
    });
    await granted(ask, 'identity', 'PUT', `${at}/quotas`, {
      quotas: [
        { kind: 'networks', quantity: 40 },
        { kind: 'servers', quantity: 60 },
      ],
    });
    const [project] = asMade((await ask('identity', 'GET', `${at}/projects`)).body);
    if (project === undefined)
      await make(
        'identity',
        `${at}/projects`,
        'factory',
        { groupIDs: [operators, readers] },
        { description: 'makes anvils', tags },
      );
    else await make('identity', `${at}/projects`, 'spare', { groupIDs: [operators] });
  }
  const [factory] = asMade((await ask('identity', 'GET', `/api/v1/organizations/${other}/projects`)).body);
  const acme = { organizationId: other, projectId: factory?.metadata.id ?? '' };
  const website = { organizationId, projectId };

  // Region: resources that use networks and projects.
  const network = async (name: string, scope: object, region: string, prefix: string) =>
    (
      await make(
        'region',
        '/api/v2/networks',
        name,
        { ...scope, regionId: region, prefix, dnsNameservers: ['8.8.8.8', '1.1.1.1'] },
        { description: `the network ${name}`, tags },
      )
    ).metadata.id;
  const backend = await network('backend', website, regionId, '10.10.0.0/24');
  const routed = (
    await make('region', '/api/v2/networks', 'routed', {
      ...acme,
      regionId: secondaryRegionId,
      prefix: '10.20.0.0/22',
      dnsNameservers: [],
      routes: [{ prefix: '192.168.0.0/24', nexthop: '10.20.0.9' }],
    })
  ).metadata.id;
  await network('unused', { organizationId, projectId: secondaryProjectId }, secondaryRegionId, '10.30.0.0/24');
  await settled(ask);
  const rules = [
    { direction: 'ingress', protocol: 'tcp', port: 22, prefix: '10.0.0.0/8' },
    { direction: 'ingress', protocol: 'udp', port: 6000, portMax: 6010 },
    { direction: 'egress', protocol: 'any' },
  ];
  const ssh = (await make('region', '/api/v2/securitygroups', 'ssh', { networkId: backend, rules }, { tags })).metadata
    .id;
  await make('region', '/api/v2/securitygroups', 'unused', { networkId: routed, rules: [] });
  const authority = (await make('region', '/api/v2/sshcertificateauthorities', 'staff', { ...website, publicKey }))
    .metadata.id;
  const listeners = [
    {
      name: 'web',
      protocol: 'tcp',
      port: 443,
      allowedCidrs: ['10.0.0.0/8'],
      idleTimeoutSeconds: 30,
      pool: {
        proxyProtocolV2: true,
        members: [{ address: '10.10.0.20', port: 8443 }],
        healthCheck: { intervalSeconds: 7, timeoutSeconds: 3 },
      },
    },
  ];
  await make('region', '/api/v2/loadbalancers', 'front', { networkId: backend, publicIP: true, listeners }, { tags });
  await make('region', '/api/v2/loadbalancers', 'inner', {
    networkId: routed,
    listeners: [{ name: 'dns', protocol: 'udp', port: 53, pool: { members: [] } }],
  });
  const classes = asMade((await ask('region', 'GET', '/api/v2/filestorageclasses')).body) as readonly (Made & {
    readonly spec: { readonly regionId: string };
  })[];
  const classOf = (region: string) => classes.find(({ spec }) => spec.regionId === region)?.metadata.id ?? '';
  const storage = { storageType: { NFS: { rootSquash: true } } };
  await make(
    'region',
    '/api/v2/filestorage',
    'shared',
    {
      ...website,
      regionId,
      storageClassId: classOf(regionId),
      sizeGiB: 20,
      ...storage,
      attachments: { networkIds: [backend, networkId] },
    },
    { tags },
  );
  await make('region', '/api/v2/filestorage', 'archive', {
    ...acme,
    regionId: secondaryRegionId,
    storageClassId: classOf(secondaryRegionId),
    sizeGiB: 5,
    ...storage,
    attachments: { networkIds: [routed] },
    snapshotPolicies: [
      { name: 'nightly', schedule: { interval: 'daily', timeOfDay: '04:30Z' }, retention: { keep: 3 } },
    ],
  });
  await make('region', '/api/v2/filestorage', 'loose', {
    organizationId,
    projectId: secondaryProjectId,
    regionId: secondaryRegionId,
    storageClassId: classOf(secondaryRegionId),
    sizeGiB: 1,
    ...storage,
  });

  // Compute: instances in every state.
  const instance = async (
    name: string,
    scope: object,
    network: string,
    spec: object = {},
    headers: Readonly<Record<string, string>> = {},
  ) =>
    (
      await granted(
        ask,
        'compute',
        'POST',
        '/api/v2/instances',
        {
          metadata: { name, description: `the instance ${name}`, tags },
          spec: { ...scope, networkId: network, flavorId, imageId: debian, ...spec },
        },
        headers,
      )
    ).metadata.id;
  await instance('plain', website, backend);
  await instance('full', website, backend, {
    userData,
    networking: { publicIP: true, securityGroups: [ssh], allowedSourceAddresses: ['10.99.0.0/24'] },
    sshCertificateAuthorityId: authority,
  });
  await instance(
    'protected',
    website,
    backend,
    { deletionProtection: true, afterRebuild: 'stop' },
    { 'idempotency-key': 'made-once' },
  );
  const stopped = await instance('stopped', website, backend);
  const edited = await instance('edited', acme, routed, { userData });
  const gone = await instance('gone', acme, routed);
  const going = await instance('going', acme, routed);
  const rebuilding = await instance('rebuilding', acme, routed);
  const failed = await instance('broken', acme, routed);
  await settled(ask);
  await granted(ask, 'compute', 'POST', `/api/v2/instances/${stopped}/stop`);
  for (const [description, image] of [
    ['first edit', debian],
    ['second edit', debian],
    ['rebuilt', ubuntu],
  ] as const) {
    await granted(ask, 'compute', 'PUT', `/api/v2/instances/${edited}`, {
      metadata: { name: 'edited', description },
      spec: { flavorId, imageId: image, userData },
    });
    await settled(ask);
  }
  await granted(ask, 'compute', 'POST', `/api/v2/instances/${edited}/reboot`);
  await granted(ask, 'compute', 'POST', `/api/v2/instances/${edited}/snapshot`, { metadata: { name: 'of-edited' } });
  await granted(ask, 'compute', 'DELETE', `/api/v2/instances/${gone}`);
  await granted(ask, 'region', 'POST', `/api/v2/regions/${secondaryRegionId}/simulation/drift`, {
    kind: 'server',
    id: failed,
    drift: 'failed',
  });
  await settled(ask);
  return {
    tokens,
    gone: { gone, going },
    ...acme,
    regionId: secondaryRegionId,
    networkId: routed,
    storageClassId: classOf(secondaryRegionId),
    going,
    rebuilding,
  };
}

function asMade(body: unknown): readonly Made[] {
  return Array.isArray(body) ? (body as readonly Made[]) : [];
}

/** Starts one operation of every type on a slow cloud. The caller kills the server before they are complete. */
export async function leaveUnfinished(
  { ask }: ServedState,
  { organizationId, projectId, regionId, networkId, going, rebuilding }: Furnished,
): Promise<void> {
  await granted(ask, 'region', 'PUT', `/api/v2/regions/${regionId}/simulation`, slowly);
  await granted(
    ask,
    'compute',
    'POST',
    '/api/v2/instances',
    {
      metadata: { name: 'under-way' },
      spec: { organizationId, projectId, networkId, flavorId, imageId: debian, userData },
    },
    { 'idempotency-key': 'under-way' },
  );
  await granted(ask, 'compute', 'DELETE', `/api/v2/instances/${going}`);
  await granted(ask, 'compute', 'PUT', `/api/v2/instances/${rebuilding}`, {
    metadata: { name: 'rebuilding' },
    spec: { flavorId, imageId: ubuntu },
  });
}

/** Requests that are in the middle of their sagas when the server is killed. Their responses are ignored. */
export function burst(
  { ask }: ServedState,
  { organizationId, projectId, regionId, networkId, storageClassId }: Furnished,
): void {
  const listeners = [{ name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } }];
  const bodies = (name: string): readonly (readonly [ServiceName, string, object])[] => [
    [
      'compute',
      '/api/v2/instances',
      { metadata: { name }, spec: { organizationId, projectId, networkId, flavorId, imageId: debian } },
    ],
    [
      'region',
      '/api/v2/networks',
      { metadata: { name }, spec: { organizationId, projectId, regionId, prefix: '10.60.0.0/24', dnsNameservers: [] } },
    ],
    ['region', '/api/v2/loadbalancers', { metadata: { name }, spec: { networkId, listeners } }],
    [
      'region',
      '/api/v2/filestorage',
      {
        metadata: { name },
        spec: {
          organizationId,
          projectId,
          regionId,
          storageClassId,
          sizeGiB: 1,
          storageType: { NFS: { rootSquash: false } },
          attachments: { networkIds: [networkId] },
        },
      },
    ],
    [
      'identity',
      `/api/v1/organizations/${organizationId}/users`,
      { spec: { subject: `${name}@acme.example`, state: 'active', groupIDs: [] } },
    ],
    [
      'identity',
      `/api/v1/organizations/${organizationId}/serviceaccounts`,
      { metadata: { name }, spec: { groupIDs: [] } },
    ],
  ];
  for (const name of ['burst-1', 'burst-2', 'burst-3']) {
    for (const [service, path, body] of bodies(name)) ask(service, 'POST', path, { body }).catch(() => undefined);
  }
}
