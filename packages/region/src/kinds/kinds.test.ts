import { describe, expect, it } from 'vitest';

import { isProblem } from '@unikorn/core/errors';
import { admit, customResourceDefinition, definitions, type Candidate, type Draft, type Kind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import * as kinds from './index.ts';
import { listener, policy, specimen, specimens } from './specimens.fixture.ts';

const { regionKinds } = kinds;
type Name = keyof typeof specimens;

function kindNamed(name: Name): Kind {
  const kind = regionKinds.find((candidate) => candidate.kind === name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
}

function stored({ apiVersion, kind }: Kind, { metadata, spec, status }: Candidate): Resource {
  const stamps = { uid: 'u', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion, kind, metadata: { ...metadata, ...stamps }, spec, status } as Resource;
}

/** Why a kind refuses a candidate, or that it does not. */
function verdict(name: Name, candidate: Candidate, before?: Candidate): string {
  const kind = kindNamed(name);
  try {
    admit(kind, candidate, before && stored(kind, before));
  } catch (error) {
    if (isProblem(error, 'invalid_object')) return error.message;
    throw error;
  }
  return 'admitted';
}

const names = Object.keys(specimens) as Name[];

describe('every kind', () => {
  it('is listed once and has a specimen', () => {
    expect(regionKinds.map(({ kind }) => kind).toSorted()).toEqual(names.toSorted());
    expect(definitions(regionKinds)).toHaveLength(regionKinds.length);
  });

  it.each(names)('%s admits its specimen, unchanged too, and derives a custom resource', (name) => {
    expect(verdict(name, specimen(name), specimen(name))).toBe('admitted');
    expect(customResourceDefinition(kindNamed(name)).metadata.name).toBe(kindNamed(name).id);
  });
});

describe('what is refused', () => {
  const shared = { ...listener, name: 'other' };
  const rule = specimens.SecurityGroup.rules[0];
  const twice = [{ id: 'a' }, { id: 'a' }];

  it.each<[Name, object, string]>([
    ['Region', { provider: 'openstack' }, 'openstack must be given'],
    ['Region', { kubernetes: { kubeConfigSecret: { namespace: 'a', name: 'b' }, nodes: [] } }, 'kubernetes must be given'],
    [
      'Region',
      { provider: 'openstack', openstack: { endpoint: 'https://keystone', serviceAccountSecret: { namespace: 'a', name: 'b' }, network: { providerNetworks: { vlan: { segments: [{ startId: 20, endId: 10 }] } } } } },
      'must not start after its end',
    ],
    ['Network', { prefix: 'fd00::/8' }, '/spec/prefix'],
    ['Network', { prefix: '10.0.0.0/25', reservations: undefined }, 'must not be smaller than /24'],
    ['Network', { reservations: { prefixLength: 16 } }, 'must be smaller than the network'],
    ['Network', { reservations: { prefixLength: 25, providerReservedPrefixLength: 24 } }, 'must be within what is reserved'],
    ['Network', { reservations: { prefixLength: 31 } }, '/spec/reservations/prefixLength'],
    ['Network', { dnsNameservers: ['dns.example.com'] }, '/spec/dnsNameservers/0'],
    ['SecurityGroup', { rules: [{ ...rule, protocol: 'icmp' }] }, 'only a rule for tcp or udp'],
    ['SecurityGroup', { rules: [{ ...rule, port: {} }] }, 'either one number or a range'],
    ['SecurityGroup', { rules: [{ ...rule, port: { number: 1, range: { start: 1, end: 2 } } }] }, 'either one number or a range'],
    ['SecurityGroup', { rules: [{ ...rule, port: { range: { start: 2, end: 2 } } }] }, 'must start before its end'],
    ['SecurityGroup', { rules: [{ ...rule, port: { number: 65_536 } }] }, '/spec/rules/0/port/number'],
    ['LoadBalancer', { listeners: [] }, '/spec/listeners'],
    ['LoadBalancer', { listeners: [listener, { ...listener, port: 80 }] }, 'names of listeners must be unique'],
    ['LoadBalancer', { listeners: [listener, shared] }, 'cannot share a protocol and port'],
    ['LoadBalancer', { listeners: [{ ...listener, protocol: 'udp' }] }, 'idle timeout'],
    ['LoadBalancer', { listeners: [{ name: 'a', protocol: 'udp', port: 1, pool: { ...listener.pool, proxyProtocolV2: true } }] }, 'proxy protocol'],
    ['LoadBalancer', { listeners: [{ ...listener, pool: { ...listener.pool, healthCheck: { intervalSeconds: 5, timeoutSeconds: 5, healthyThreshold: 2, unhealthyThreshold: 2 } } }] }, 'must time out before'],
    ['Server', { networks: [] }, '/spec/networks'],
    ['Server', { sshInjection: 'ca' }, 'a certificate authority must be given'],
    ['Server', { sshInjection: 'none', sshCertificateAuthorityID: 'a' }, 'a certificate authority must be given'],
    ['Server', { infrastructureRef: 'host' }, 'must use the ssh injection ca or none'],
    ['Server', { infrastructureRef: 'host', sshInjection: 'identityKeypair' }, 'must use the ssh injection ca or none'],
    ['Server', { securityGroups: twice }, 'security group can be named only once'],
    ['Server', { volumes: twice }, 'volume can be named only once'],
    ['Volume', { size: 0 }, '/spec/size'],
    ['FileStorage', { size: 0 }, '/spec/size'],
    ['FileStorage', { attachments: [{ networkID: 'a' }, { networkID: 'a' }] }, 'only once'],
    ['FileStorage', { defaultSnapshotProtectionEnabled: true }, 'the default policy must be there'],
    ['FileStorage', { snapshotPolicies: [kinds.defaultSnapshotPolicy] }, 'the default policy must be there'],
    ['FileStorage', { snapshotPolicies: [policy, policy] }, 'must be unique'],
    ['FileStorage', { snapshotPolicies: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...policy, name })) }, 'at most 4 snapshot policies'],
    ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'hourly', timeOfDay: '00:00Z' } }] }, 'timeOfDay must be'],
    ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'daily' } }] }, 'timeOfDay must be'],
    ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'weekly', timeOfDay: '00:00Z' } }] }, 'dayOfWeek must be'],
    ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'monthly', timeOfDay: '00:00Z', dayOfMonth: 29 } }] }, 'dayOfMonth'],
    ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'daily', timeOfDay: '00:00Z', dayOfMonth: 1 } }] }, 'dayOfMonth must be'],
  ])('%s %j', (name, change, reason) => {
    expect(verdict(name, specimen(name, change))).toContain(reason);
  });

  it.each<[Name, object]>([
    ['Network', { prefix: '10.0.0.0/24', reservations: undefined, routes: undefined, dnsNameservers: [] }],
    ['LoadBalancer', { listeners: [listener, { name: 'dns', protocol: 'udp', port: 443, pool: { proxyProtocolV2: false, members: [] } }] }],
    ['Server', { infrastructureRef: 'host', sshInjection: 'none' }],
    ['Server', { infrastructureRef: 'host', sshCertificateAuthorityID: 'a' }],
    ['FileStorage', { defaultSnapshotProtectionEnabled: true, snapshotPolicies: [...['a', 'b', 'c', 'd'].map((name) => ({ ...policy, name })), kinds.defaultSnapshotPolicy] }],
    ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'hourly' } }] }],
  ])('but %s %j is not', (name, change) => {
    expect(verdict(name, specimen(name, change))).toBe('admitted');
  });
});

describe('what stays as it was created', () => {
  it.each<[Name, object]>([
    ['Identity', { provider: 'openstack' }],
    ['Network', { prefix: '10.1.0.0/16' }],
    ['Network', { reservations: undefined }],
    ['LoadBalancer', { requestedVIPAddress: '10.0.0.200' }],
    ['Server', { flavorID: 'other' }],
    ['Server', { networks: [{ id: 'other' }] }],
    ['Server', { sshCertificateAuthorityID: 'a' }],
    ['Server', { sshInjection: 'none' }],
    ['Server', { sshInjection: 'none', infrastructureRef: 'host' }],
    ['Volume', { networkID: 'other' }],
    ['FileStorage', { storageClassID: 'other' }],
    ['SSHCertificateAuthority', { publicKey: 'other' }],
  ])('%s %j', (name, change) => {
    expect(verdict(name, specimen(name, change), specimen(name))).toContain('must stay as it was set at creation');
  });

  it.each<Name>(['Network', 'SecurityGroup', 'Server', 'LoadBalancer', 'Volume', 'SSHCertificateAuthority', 'FileStorage', 'Identity'])('the project of %s', (name) => {
    expect(verdict(name, specimen(name, {}, { [labels.project]: 'other' }), specimen(name))).toContain('must stay as it was set at creation');
  });

  it.each<Name>(['SecurityGroup', 'Server', 'LoadBalancer', 'Volume'])('the network of %s', (name) => {
    expect(verdict(name, specimen(name, {}, { [labels.network]: 'other' }), specimen(name))).toContain('must stay as it was set at creation');
  });

  it('the name of a server and of nothing else', () => {
    const keeping = names.filter((name) => verdict(name, specimen(name, {}, { [labels.name]: 'other' }), specimen(name)) !== 'admitted');
    expect(keeping).toEqual(['Server']);
  });

  it('what a listener of that name serves', () => {
    const changed = [{ protocol: 'udp', idleTimeoutSeconds: undefined }, { port: 80 }, { pool: { ...listener.pool, proxyProtocolV2: true } }].map((change) => JSON.parse(JSON.stringify({ ...listener, ...change })) as object);
    for (const other of changed) expect(verdict('LoadBalancer', specimen('LoadBalancer', { listeners: [other] }), specimen('LoadBalancer'))).toContain('are fixed');
    expect(verdict('LoadBalancer', specimen('LoadBalancer', { listeners: [{ ...listener, name: 'renamed' }] }), specimen('LoadBalancer'))).toBe('admitted');
  });

  it('the moment a server first ran', () => {
    const ran = { ...specimen('Server'), status: { provisionedAt: '2026-01-01T00:00:00Z' } };
    expect(verdict('Server', ran, specimen('Server'))).toBe('admitted');
    expect(verdict('Server', { ...ran, status: { ...ran.status, phase: 'Stopped' } }, ran)).toBe('admitted');
    expect(verdict('Server', { ...ran, status: {} }, ran)).toContain('set once and kept');
    expect(verdict('Server', { ...ran, status: { provisionedAt: '2026-01-02T00:00:00Z' } }, ran)).toContain('set once and kept');
  });

  it('the size of storage, unless it grows', () => {
    for (const name of ['FileStorage', 'Volume'] as const) {
      expect(verdict(name, specimen(name, { size: 2048 }), specimen(name))).toBe('admitted');
      expect(verdict(name, specimen(name, { size: 1023 }), specimen(name))).toContain('cannot shrink');
    }
  });
});

it('the real engine stores every kind and keeps its rules', async () => {
  const store = openMemoryStore({ world: virtualWorld(1), kinds: regionKinds });
  for (const name of names) {
    const created = await store.create(kindNamed(name), specimen(name) as Draft);
    expect(created.spec).toEqual(specimens[name]);
  }
  await expect(store.create(kinds.Network, { metadata: { name: 'small' }, spec: { prefix: '10.0.0.0/25', dnsNameservers: [] } })).rejects.toThrow('must not be smaller than /24');
});

it.each([
  [{}, 'identityKeypair'],
  [{ sshCertificateAuthorityID: 'a' }, 'ca'],
  [{ sshInjection: 'none' }, 'none'],
] as const)('a server with %j gets the ssh injection %s', (spec, resolved) => {
  expect(kinds.resolvedSshInjection(spec)).toBe(resolved);
});
