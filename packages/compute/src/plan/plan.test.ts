import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { SpecOf } from '@unikorn/core/kinds';
import type { ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import type { Resolution } from '../link/index.ts';
import { disruptionBy } from './disruption-by.fixture.ts';
import { decide, exceeds, objectionTo, planUpdate, type PlanInput } from './index.ts';

type Spec = SpecOf<typeof ComputeInstance>;

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 });
const defined = <T extends object>(value: T) => JSON.parse(JSON.stringify(value)) as T;

const spec: fc.Arbitrary<Spec> = fc
  .record({
    flavorId: fc.constantFrom('small', 'large'),
    imageId: fc.constantFrom('one', 'other'),
    sshCertificateAuthorityId: some(fc.constantFrom('ca', 'cb')),
    networking: some(
      fc.record({
        publicIp: some(fc.boolean()),
        securityGroupIDs: some(ids),
        allowedSourceAddresses: some(fc.constant(['10.0.0.0/24'])),
      }),
    ),
    userData: some(fc.constantFrom('', 'YQ==', 'Yg==')),
    tags: some(fc.constant([{ name: 'a', value: 'b' }])),
    afterRebuild: some(fc.constantFrom('start', 'stop')),
  })
  .map((one) => defined(one) as Spec);

const metadata = {
  name: 'f1',
  uid: 'u',
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
};

function instanceWith(wanted: Spec, generation = 1): ComputeInstance {
  return { apiVersion: '', kind: '', metadata: { ...metadata, generation }, spec: wanted };
}

function serverWith(
  { flavorId, imageId, sshCertificateAuthorityId, networking, userData }: Spec,
  deletionTime?: string,
): ServerRead {
  return defined({
    metadata: {
      id: 'f1',
      name: 'n',
      organizationId: 'o',
      projectId: 'p',
      creationTime: metadata.creationTimestamp,
      provisioningStatus: 'provisioned',
      healthStatus: 'healthy',
      deletionTime,
    },
    spec: {
      flavorId,
      imageId,
      networking: {
        publicIP: networking?.publicIp,
        securityGroups: networking?.securityGroupIDs,
        allowedSourceAddresses: networking?.allowedSourceAddresses,
      },
      userData,
    },
    status: { regionId: 'r', networkId: 'n', sshCertificateAuthorityId },
  }) as ServerRead;
}

const resolution: fc.Arbitrary<Resolution> = fc.oneof(
  spec.map((standing): Resolution => ({ type: 'one', server: serverWith(standing) })),
  spec.map((standing): Resolution => ({ type: 'one', server: serverWith(standing, '2026-01-02T00:00:00Z') })),
  fc.constant<Resolution>({ type: 'none' }),
  fc.constant<Resolution>({ type: 'none', occupant: 'f2' }),
  fc.constant<Resolution>({ type: 'many', serverIds: ['f1', 'f2'] }),
);

const inputFor = (instance: ComputeInstance, wanted: Spec, found: Resolution): PlanInput => ({
  instance,
  wanted: { spec: wanted },
  resolution: found,
  price: { gpus: 0, publicIP: wanted.networking?.publicIp ?? false },
  free: { publicips: 5 },
  blockers: [],
});

describe('a plan', () => {
  it('is never less disruptive than the action of the controller', () => {
    fc.assert(
      fc.property(spec, spec, resolution, (current, wanted, found) => {
        const { action } = planUpdate(inputFor(instanceWith(current), wanted, found));
        expect(exceeds(disruptionBy(decide({ spec: wanted }, found)), action)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('is valid for a server that is created between plan and update', () => {
    fc.assert(
      fc.property(spec, spec, (current, wanted) => {
        const { action } = planUpdate(inputFor(instanceWith(current), wanted, { type: 'none' }));
        expect(
          exceeds(disruptionBy(decide({ spec: wanted }, { type: 'one', server: serverWith(current) })), action),
        ).toBe(false);
      }),
    );
  });

  it('contains a loss exactly if the disk or an address is lost', () => {
    fc.assert(
      fc.property(spec, spec, (current, wanted) => {
        const { action, losses, warnings } = planUpdate(
          inputFor(instanceWith(current), wanted, { type: 'one', server: serverWith(current) }),
        );
        const hadAddress = current.networking?.publicIp ?? false;
        expect(losses.includes('the root disk')).toBe(action === 'rebuild' || action === 'recreate');
        expect(losses.includes('the MAC address')).toBe(action === 'recreate');
        expect(warnings).toHaveLength(action === 'recreate' ? 2 : 0);
        expect(losses.includes('the public address')).toBe(
          hadAddress && (action === 'recreate' || !(wanted.networking?.publicIp ?? false)),
        );
      }),
    );
  });

  it('has a different token for each body, state of the instance and state of its server', () => {
    fc.assert(
      fc.property(spec, spec, spec, resolution, (current, wanted, other, found) => {
        const plan = (instance: ComputeInstance, body: Spec, world: Resolution) =>
          planUpdate(inputFor(instance, body, world));
        const first = plan(instanceWith(current), wanted, found);
        expect(plan(instanceWith(current), wanted, found).token).toBe(first.token);
        expect(plan(instanceWith(current, 2), wanted, found).token).not.toBe(first.token);
        const another = plan(instanceWith(wanted), other, { type: 'one', server: serverWith(wanted) });
        const agreed = plan(instanceWith(wanted), wanted, { type: 'one', server: serverWith(wanted) });
        expect(another.token === agreed.token).toBe(
          another.changes.length === 0 &&
            (other.networking?.publicIp ?? null) === (wanted.networking?.publicIp ?? null) &&
            other.afterRebuild === wanted.afterRebuild,
        );
      }),
    );
  });

  it('has another token for a change of any field of the spec', () => {
    const small: Spec = { flavorId: 'small', imageId: 'one' };
    /** Each field with another value. If a field is added to the kind, the compiler reports that it is missing here. */
    const others: { readonly [Field in keyof Required<Spec>]: readonly Partial<Spec>[] } = {
      tags: [{ tags: [{ name: 'a', value: 'b' }] }, { tags: [{ name: 'a', value: 'c' }] }],
      pause: [{ pause: true }],
      flavorId: [{ flavorId: 'large' }],
      imageId: [{ imageId: 'other' }],
      networking: [
        { networking: { publicIp: true } },
        { networking: { publicIp: false } },
        { networking: { securityGroupIDs: ['a'] } },
        { networking: { allowedSourceAddresses: ['10.0.0.0/24'] } },
      ],
      sshCertificateAuthorityId: [{ sshCertificateAuthorityId: 'ca' }],
      userData: [{ userData: 'YQ==' }],
      deletionProtection: [{ deletionProtection: true }, { deletionProtection: false }],
      afterRebuild: [{ afterRebuild: 'stop' }, { afterRebuild: 'start' }],
    };
    const wanted = [
      small,
      ...Object.values(others).flatMap((values) => values.map((value) => ({ ...small, ...value }))),
    ];
    const tokens = wanted.map(
      (spec) => planUpdate(inputFor(instanceWith(small), spec, { type: 'one', server: serverWith(small) })).token,
    );
    expect(new Set(tokens).size).toBe(wanted.length);
  });

  it('is different for a server that was recreated or is being deleted, even if its fields are equal', () => {
    const small: Spec = { flavorId: 'small', imageId: 'one' };
    const server = serverWith(small);
    const anew = { ...server, metadata: { ...server.metadata, creationTime: '2026-01-01T00:00:01Z' } };
    const plans = [server, anew, serverWith(small, '2026-01-02T00:00:00Z')].map((found) =>
      planUpdate(inputFor(instanceWith(small), { ...small, flavorId: 'large' }, { type: 'one', server: found })),
    );
    expect(plans.map(({ action }) => action)).toEqual(['recreate', 'recreate', 'recreate']);
    expect(new Set(plans.map(({ token }) => token)).size).toBe(3);
  });

  it('is refused with the token of another plan, and with a limit that it exceeds', () => {
    const small: Spec = { flavorId: 'small', imageId: 'one' };
    const plan = planUpdate(
      inputFor(instanceWith(small), { ...small, imageId: 'other' }, { type: 'one', server: serverWith(small) }),
    );
    expect(plan.action).toBe('rebuild');
    expect(objectionTo(plan, {})).toBeUndefined();
    expect(objectionTo(plan, { planToken: plan.token, maxDisruption: 'rebuild' })).toBeUndefined();
    expect(objectionTo(plan, { maxDisruption: 'recreate' })).toBeUndefined();
    expect(objectionTo(plan, { planToken: 'stale' })).toContain('query.planToken');
    expect(objectionTo(plan, { maxDisruption: 'in-place' })).toContain('needs rebuild');
    expect(objectionTo(plan, { planToken: plan.token, maxDisruption: 'none' })).toContain('query.maxDisruption');
  });

  it('shows its cost, and a quota that is not sufficient', () => {
    const small: Spec = { flavorId: 'small', imageId: 'one' };
    const plan = planUpdate({
      ...inputFor(instanceWith(small), small, { type: 'none' }),
      price: { gpus: 4, publicIP: true },
      free: { servers: 0, gpus: 3, publicips: 1 },
    });
    expect(plan.quota).toEqual([
      { kind: 'gpus', delta: 4, free: 3 },
      { kind: 'publicips', delta: 1, free: 1 },
      { kind: 'servers', delta: 0, free: 0 },
    ]);
    expect(plan.blockers).toEqual([
      { reason: 'quota_exceeded', message: 'the change needs 4 more gpus, but the quota has only 3 left' },
    ]);
  });
});
