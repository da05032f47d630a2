import { defaultSnapshotPolicy } from './index.ts';
import { listener, policy, specimens, type Name } from './specimens.fixture.ts';

const shared = { ...listener, name: 'other' };
const rule = specimens.SecurityGroup.rules[0];
const twice = [{ id: 'a' }, { id: 'a' }];

/**
 * Changes that make a specimen invalid, and the expected message: our own text, or the field that does not match the
 * schema.
 */
export const refused: readonly (readonly [Name, object, string])[] = [
  ['Region', { provider: 'openstack' }, 'openstack must be set'],
  [
    'Region',
    {
      provider: 'kubernetes',
      kubernetes: { kubeConfigSecret: { namespace: 'a', name: 'b' }, nodes: [] },
      simulated: {},
    },
    'simulated can be set',
  ],
  ['Region', { kubernetes: { kubeConfigSecret: { namespace: 'a', name: 'b' }, nodes: [] } }, 'kubernetes must be set'],
  [
    'Region',
    {
      provider: 'openstack',
      openstack: {
        endpoint: 'https://keystone',
        serviceAccountSecret: { namespace: 'a', name: 'b' },
        network: { providerNetworks: { vlan: { segments: [{ startId: 20, endId: 10 }] } } },
      },
    },
    'must not start after its end',
  ],
  ['Network', { prefix: 'fd00::/8' }, '/spec/prefix'],
  ['Network', { prefix: '10.0.0.0/25', reservations: undefined }, 'must not be smaller than /24'],
  ['Network', { reservations: { prefixLength: 16 } }, 'must be smaller than the network'],
  [
    'Network',
    { reservations: { prefixLength: 25, providerReservedPrefixLength: 24 } },
    'must be within the reserved prefix',
  ],
  ['Network', { reservations: { prefixLength: 31 } }, '/spec/reservations/prefixLength'],
  ['Network', { dnsNameservers: ['dns.example.com'] }, '/spec/dnsNameservers/0'],
  ['SecurityGroup', { rules: [{ ...rule, protocol: 'icmp' }] }, 'only a rule for tcp or udp'],
  ['SecurityGroup', { rules: [{ ...rule, port: {} }] }, 'either one number or a range'],
  [
    'SecurityGroup',
    { rules: [{ ...rule, port: { number: 1, range: { start: 1, end: 2 } } }] },
    'either one number or a range',
  ],
  ['SecurityGroup', { rules: [{ ...rule, port: { range: { start: 2, end: 2 } } }] }, 'must start before its end'],
  ['SecurityGroup', { rules: [{ ...rule, port: { number: 65_536 } }] }, '/spec/rules/0/port/number'],
  ['LoadBalancer', { listeners: [] }, '/spec/listeners'],
  ['LoadBalancer', { listeners: [listener, { ...listener, port: 80 }] }, 'names of listeners must be unique'],
  ['LoadBalancer', { listeners: [listener, shared] }, 'cannot share a protocol and port'],
  ['LoadBalancer', { listeners: [{ ...listener, protocol: 'udp' }] }, 'idle timeout'],
  [
    'LoadBalancer',
    { listeners: [{ name: 'a', protocol: 'udp', port: 1, pool: { ...listener.pool, proxyProtocolV2: true } }] },
    'proxy protocol',
  ],
  [
    'LoadBalancer',
    {
      listeners: [
        {
          ...listener,
          pool: {
            ...listener.pool,
            healthCheck: { intervalSeconds: 5, timeoutSeconds: 5, healthyThreshold: 2, unhealthyThreshold: 2 },
          },
        },
      ],
    },
    'must time out before',
  ],
  ['Server', { networks: [] }, '/spec/networks'],
  ['Server', { sshInjection: 'ca' }, 'a certificate authority must be set'],
  ['Server', { sshInjection: 'none', sshCertificateAuthorityID: 'a' }, 'a certificate authority must be set'],
  ['Server', { infrastructureRef: 'host' }, 'must use the SSH injection ca or none'],
  ['Server', { infrastructureRef: 'host', sshInjection: 'identityKeypair' }, 'must use the SSH injection ca or none'],
  ['Server', { securityGroups: twice }, 'security group can be named only once'],
  ['Server', { volumes: twice }, 'volume can be named only once'],
  ['Volume', { size: 0 }, '/spec/size'],
  ['FileStorage', { size: 0 }, '/spec/size'],
  ['FileStorage', { attachments: [{ networkID: 'a' }, { networkID: 'a' }] }, 'only once'],
  ['FileStorage', { defaultSnapshotProtectionEnabled: true }, 'the default policy must exist'],
  ['FileStorage', { snapshotPolicies: [defaultSnapshotPolicy] }, 'the default policy must exist'],
  ['FileStorage', { snapshotPolicies: [policy, policy] }, 'must be unique'],
  [
    'FileStorage',
    { snapshotPolicies: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...policy, name })) },
    'at most 4 snapshot policies',
  ],
  [
    'FileStorage',
    { snapshotPolicies: [{ ...policy, schedule: { interval: 'hourly', timeOfDay: '00:00Z' } }] },
    'timeOfDay must be',
  ],
  ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'daily' } }] }, 'timeOfDay must be'],
  [
    'FileStorage',
    { snapshotPolicies: [{ ...policy, schedule: { interval: 'weekly', timeOfDay: '00:00Z' } }] },
    'dayOfWeek must be',
  ],
  [
    'FileStorage',
    { snapshotPolicies: [{ ...policy, schedule: { interval: 'monthly', timeOfDay: '00:00Z', dayOfMonth: 29 } }] },
    'dayOfMonth',
  ],
  [
    'FileStorage',
    { snapshotPolicies: [{ ...policy, schedule: { interval: 'daily', timeOfDay: '00:00Z', dayOfMonth: 1 } }] },
    'dayOfMonth must be',
  ],
];

/** Changes that keep it valid. */
export const admitted: readonly (readonly [Name, object])[] = [
  ['Network', { prefix: '10.0.0.0/24', reservations: undefined, routes: undefined, dnsNameservers: [] }],
  [
    'LoadBalancer',
    {
      listeners: [listener, { name: 'dns', protocol: 'udp', port: 443, pool: { proxyProtocolV2: false, members: [] } }],
    },
  ],
  ['Server', { infrastructureRef: 'host', sshInjection: 'none' }],
  ['Server', { infrastructureRef: 'host', sshCertificateAuthorityID: 'a' }],
  [
    'FileStorage',
    {
      defaultSnapshotProtectionEnabled: true,
      snapshotPolicies: [...['a', 'b', 'c', 'd'].map((name) => ({ ...policy, name })), defaultSnapshotPolicy],
    },
  ],
  ['FileStorage', { snapshotPolicies: [{ ...policy, schedule: { interval: 'hourly' } }] }],
];

/** Changes that are valid for a new object, but not for an existing one. */
export const fixed: readonly (readonly [Name, object])[] = [
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
];
