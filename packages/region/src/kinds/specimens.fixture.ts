import type { Candidate } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { publicKeys } from '../sshca/public-key.fixture.ts';

const id = 'b059b3e6-9ae5-42b7-94b4-f42fb7a6baee';

export const listener = {
  name: 'web',
  protocol: 'tcp',
  port: 443,
  idleTimeoutSeconds: 60,
  pool: { proxyProtocolV2: false, members: [{ address: '10.0.0.130', port: 8443 }] },
};

export const policy = { name: 'nightly', schedule: { interval: 'daily', timeOfDay: '02:30Z' }, retention: { keep: 3 } };

/** A valid spec of every kind, by the kind's name. */
export const specimens = {
  Region: { provider: 'simulated' },
  ResourceHistory: {
    entries: [
      {
        time: '2026-01-01T00:00:00Z',
        uid: id,
        type: 'intent',
        action: 'update',
        outcome: 'accepted',
        actor: 'someone@example.com',
        changes: [{ field: 'spec.routes', action: 'in-place' }],
      },
    ],
  },
  GoneResource: {
    uid: id,
    createdAt: '2026-01-01T00:00:00Z',
    deletedAt: '2026-01-01T00:00:00Z',
    entries: [{ time: '2026-01-01T00:00:00Z', uid: id, type: 'transition', action: 'deletion', outcome: 'gone' }],
  },
  FileStorageClass: { provisioner: 'simulated', protocols: ['nfsv4'], parallelism: 2 },
  Identity: { provider: 'simulated' },
  Network: {
    prefix: '10.0.0.0/16',
    reservations: { prefixLength: 24, providerReservedPrefixLength: 28 },
    dnsNameservers: ['1.1.1.1'],
    routes: [{ prefix: '10.9.0.0/16', nextHop: '10.0.0.9' }],
  },
  SecurityGroup: { rules: [{ direction: 'ingress', protocol: 'tcp', port: { number: 22 }, cidr: '0.0.0.0/0' }] },
  LoadBalancer: { publicIP: true, listeners: [listener] },
  Server: {
    flavorID: id,
    image: { id },
    networks: [{ id }],
    securityGroups: [{ id }],
    tags: [{ name: 'a', value: 'b' }],
  },
  Volume: { networkID: id, volumeClassID: id, size: 1024 },
  SSHCertificateAuthority: { publicKey: publicKeys.ed25519 },
  FileStorage: {
    storageClassID: id,
    size: 1024,
    attachments: [{ networkID: id }],
    defaultSnapshotProtectionEnabled: false,
    snapshotPolicies: [policy],
    nfs: { rootSquash: true },
  },
} as const;

/** The name of a kind. */
export type Name = keyof typeof specimens;

/** The specimen of a kind with some fields replaced. Undefined removes a field. */
export function specimen(kind: Name, change: object = {}, label: Readonly<Record<string, string>> = {}): Candidate {
  const spec = Object.fromEntries(
    Object.entries({ ...specimens[kind], ...change }).filter(([, value]) => value !== undefined),
  );
  return {
    metadata: { name: id, labels: { [labels.name]: 'a-name', [labels.project]: id, [labels.network]: id, ...label } },
    spec,
  };
}
