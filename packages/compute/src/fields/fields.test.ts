import { describe, expect, it } from 'vitest';

import type { SpecOf } from '@unikorn/core/kinds';

import { ComputeInstance } from '../kinds/index.ts';
import { planUpdate } from '../plan/index.ts';
import { presentInstance } from '../handlers/instances/present.ts';
import { keptSpec, storedSpec } from '../handlers/instances/spec.ts';
import { newServer } from '../provisioners/instance/wanted.ts';
import { operatorFields, specFields, type OperatorFields, type SpecFields } from './spec-fields.ts';
import { labelFields, statusFields, type LabelFields, type StatusFields } from './status-fields.ts';

type Spec = SpecOf<typeof ComputeInstance>;

function without<Table extends object, Name extends keyof Table>(table: Table, name: Name): Omit<Table, Name> {
  const others = { ...table };
  Reflect.deleteProperty(others, name);
  return others;
}

/** Checked by the compiler: each of these must be an error. */
export const incomplete = [
  // @ts-expect-error a field of the wire spec has no row
  without(specFields, 'spec.userData') satisfies SpecFields,
  // @ts-expect-error a field of the stored spec has no row
  without(operatorFields, 'pause') satisfies OperatorFields,
  // @ts-expect-error a field of the stored status has no row
  without(statusFields, 'macAddress') satisfies StatusFields,
  // @ts-expect-error a field of the wire status has no row
  without(labelFields, 'regionId') satisfies LabelFields,
  // @ts-expect-error a field is stored where the stored kind has a value of another type
  { ...specFields, 'spec.userData': { ...specFields['spec.userData'], stored: 'pause' } } satisfies SpecFields,
];

/** Every field of a request, each with its own value. */
const request = {
  metadata: { tags: [{ name: 'a', value: 'b' }] },
  spec: {
    flavorId: 'large',
    imageId: 'debian',
    networking: { publicIP: true, securityGroups: ['g'], allowedSourceAddresses: ['10.9.9.9/8'] },
    sshCertificateAuthorityId: 'ca',
    userData: 'IyEK',
    deletionProtection: true,
    afterRebuild: 'stop',
  },
} as const;

const full: Spec = {
  tags: [{ name: 'a', value: 'b' }],
  flavorId: 'large',
  imageId: 'debian',
  networking: { publicIp: true, securityGroupIDs: ['g'], allowedSourceAddresses: ['10.9.9.9/8'] },
  sshCertificateAuthorityId: 'ca',
  userData: 'IyEK',
  deletionProtection: true,
  afterRebuild: 'stop',
};

function instanceWith(spec: Spec): ComputeInstance {
  return {
    apiVersion: ComputeInstance.apiVersion,
    kind: ComputeInstance.kind,
    metadata: {
      name: 'f1',
      uid: 'u',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: Object.fromEntries(ComputeInstance.requiredLabels.map((label) => [label, 'x'])),
    },
    spec,
  };
}

describe('the table of instance fields', () => {
  it('stores every field of a request, and shows it as it was sent', () => {
    expect(storedSpec(request)).toEqual(full);
    expect(presentInstance(instanceWith(full)).spec).toEqual(request.spec);
  });

  it('stores nothing for a field that a request leaves out, and an empty group as an empty group', () => {
    const small = { flavorId: 'small', imageId: 'ubuntu' };
    expect(storedSpec({ metadata: {}, spec: small })).toEqual(small);
    expect(storedSpec({ metadata: {}, spec: { ...small, networking: {}, userData: '' } })).toEqual({
      ...small,
      networking: {},
    });
    expect(presentInstance(instanceWith(small)).spec).toEqual({ ...small, networking: {} });
  });

  it('says which fields an update keeps when it leaves them out', () => {
    expect(keptSpec({ ...full, pause: true })).toEqual({ pause: true, deletionProtection: true, afterRebuild: 'stop' });
  });

  it('asks region for every field that a server has, in its canonical form', () => {
    const instance = instanceWith(full);
    const { networkId, heldBy, ...spec } = newServer(instance).spec;
    expect(networkId).toBe('x');
    expect(heldBy).toContain(instance.metadata.name);
    expect(spec).toEqual({
      flavorId: 'large',
      imageId: 'debian',
      networking: { publicIP: true, securityGroups: ['g'], allowedSourceAddresses: ['10.0.0.0/8'] },
      sshCertificateAuthorityId: 'ca',
      userData: 'IyEK',
    });
  });

  it('keeps the token of a plan stable, so that a plan from before an upgrade is still accepted', () => {
    const { token } = planUpdate({
      instance: instanceWith({ flavorId: 'small', imageId: 'ubuntu' }),
      wanted: { spec: full, description: 'd' },
      resolution: { type: 'none' },
      price: undefined,
      free: {},
      blockers: [],
    });
    expect(token).toBe('rTNGalJeoCDN7DvvCGDu3YOrOOcWa-XyGOc2CsDPUFE');
  });
});
