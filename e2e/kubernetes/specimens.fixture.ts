import { IdempotencyRecord } from '@unikorn/core/http';
import type { Draft, Kind } from '@unikorn/core/kinds';
import { MigrationRecord } from '@unikorn/core/migration';
import { ReferenceRecord } from '@unikorn/core/references';
import { Saga } from '@unikorn/core/saga';
import { computeKinds } from '@unikorn/compute';
import { identityKinds } from '@unikorn/identity';
import { regionKinds } from '@unikorn/region';
import {
  OpenstackIdentity,
  OpenstackSnapshot,
  OpenstackUpload,
  OpenstackVlan,
} from '@unikorn/region/providers/openstack';
import { SimulatedClaim, SimulatedObject } from '@unikorn/region/providers/simulated';

import { specimen, specimens, type Name } from '../../packages/region/src/kinds/specimens.fixture.ts';

const id = 'b059b3e6-9ae5-42b7-94b4-f42fb7a6baee';
const time = '2026-01-01T00:00:00Z';
const digest = 'ab'.repeat(32);

/** A valid spec of every kind that is not region's own, by the kind's name. */
const others: Readonly<Record<string, object>> = {
  Organization: {
    domain: 'example.com',
    providerScope: 'global',
    providerOptions: { google: { customerId: 'c' } },
    tags: [{ name: 'a', value: 'b' }],
  },
  Project: { groupIDs: [id] },
  User: { subject: 'someone@example.com', state: 'active' },
  OrganizationUser: { subject: 'someone@example.com', state: 'pending' },
  Group: { subjects: [{ id: 'someone@example.com', issuer: 'uni' }], serviceAccountIDs: [id], roleIDs: [id] },
  ServiceAccount: { tokenDigest: digest, expiry: time },
  GlobalRoleBinding: { subject: 'someone@example.com', roles: ['platform-reader'] },
  UserPassword: { memory_kib: 19_456, passes: 2, parallelism: 1, salt: 'c2FsdA', hash: 'aGFzaA' },
  UserInvitation: { secretDigest: digest, expiry: time },
  OAuth2Client: { redirectUris: ['https://example.com/callback'], secretDigest: digest },
  OAuth2Provider: {
    type: 'google',
    issuer: 'https://accounts.example.com',
    clientID: 'client',
    sealedClientSecret: 'sealed',
  },
  OAuth2Artifact: { model: 'Session', sealed: 'sealed', expiry: time, subject: id, consumed: time },
  SigningKey: { keys: [{ kid: 'one', created: time, sealedPrivateKey: 'sealed' }] },
  QuotaLedger: { limits: { servers: 10 } },
  Allocation: {
    kind: 'networks.region.unikorn-cloud.org',
    id,
    allocations: [{ kind: 'networks', committed: 1, reserved: 0 }],
  },
  [Saga.kind]: {
    saga: 'region.network.create',
    input: { any: { thing: [1, 'two', { three: null }] } },
    holder: 'a',
    term: 1,
  },
  [ReferenceRecord.kind]: {
    used: { kind: 'networks.region.unikorn-cloud.org', id },
    reference: `computeinstances.compute.unikorn-cloud.org/${id}`,
    name: 'instance web',
    protects: true,
  },
  [MigrationRecord.kind]: { finishedAt: time },
  [IdempotencyRecord.kind]: { fingerprint: digest, holder: 'a', leaseUntil: 1, expiresAt: 2 },
  ComputeInstance: {
    flavorId: id,
    imageId: id,
    networking: { publicIp: false, securityGroupIDs: [id], allowedSourceAddresses: ['10.0.0.0/24'] },
    sshCertificateAuthorityId: id,
    userData: 'IyEvYmluL3No',
    deletionProtection: true,
    afterRebuild: 'stop',
  },
  InstanceHistory: {
    entries: [
      {
        time,
        uid: id,
        type: 'intent',
        action: 'create',
        outcome: 'accepted',
        actor: 'someone@example.com',
        changes: [{ field: 'imageId', action: 'rebuild' }],
      },
    ],
  },
  GoneInstance: {
    uid: id,
    createdAt: time,
    deletedAt: time,
    flavorId: id,
    imageId: id,
    entries: [{ time, uid: id, type: 'transition', action: 'deletion', outcome: 'gone' }],
  },
  [OpenstackIdentity.kind]: { projectID: id, userID: id, password: 'sealed' },
  [OpenstackSnapshot.kind]: { projectId: id, properties: { 'unikorn:tag:a/b': 'value' } },
  [OpenstackUpload.kind]: { uri: 'https://example.com/a.raw', attempts: 1, holder: id, leaseUntil: 1, hasFailed: true },
  [OpenstackVlan.kind]: { physicalNetwork: 'physnet1', vlanId: 100, networkId: id, refused: true },
  [SimulatedObject.kind]: { id, body: '{}' },
  [SimulatedClaim.kind]: { pool: 'addresses', owner: id, share: 3 },
};

/** A valid object of a kind, for a store or a Kubernetes API server. */
export function specimenOf({ kind, requiredLabels }: Kind): Draft {
  if (isRegions(kind)) return specimen(kind) as Draft;
  const spec = others[kind];
  if (!spec) throw new Error(`there is no specimen of ${kind}`);
  return {
    metadata: { name: id, labels: Object.fromEntries(requiredLabels.map((label) => [label, id])) },
    spec,
  } as Draft;
}

function isRegions(kind: string): kind is Name {
  return kind in specimens;
}

/** Every kind with a shipped custom resource definition. */
export const definedKinds: readonly Kind[] = [
  ...new Set<Kind>([
    ...identityKinds,
    ...regionKinds,
    OpenstackIdentity,
    OpenstackSnapshot,
    OpenstackUpload,
    OpenstackVlan,
    SimulatedObject,
    SimulatedClaim,
    ...computeKinds,
  ]),
].filter(({ kind }) => kind in specimens || kind in others);
