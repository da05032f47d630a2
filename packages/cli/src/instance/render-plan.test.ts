import picocolors from 'picocolors';
import { expect, it } from 'vitest';

import type { InstancePlan } from '@unikorn/sdk';

import { referencesIn, renderPlan } from './render-plan.ts';

const plain = picocolors.createColors(false);
const names: Readonly<Record<string, string>> = {
  'image i1': 'debian-13',
  'image i2': 'ubuntu-24.04',
  'securitygroup g1': 'web',
};
const nameOf = (noun: string, id: string) => names[`${noun} ${id}`] ?? id;

const rebuild: InstancePlan = {
  action: 'rebuild',
  changes: [
    { field: 'spec.imageId', from: 'i1', to: 'i2', action: 'rebuild' },
    { field: 'spec.networking.publicIP', from: true, to: false, action: 'in-place' },
    { field: 'spec.networking.securityGroups', from: ['g1', 'g2'], to: [], action: 'in-place' },
    { field: 'spec.userData', to: 'aGVsbG8=', action: 'in-place' },
    { field: 'metadata.tags', from: [], to: [{ name: 'team', value: 'red' }], action: 'none' },
    { field: 'metadata.description', to: 'mine', action: 'none' },
  ],
  losses: ['the root disk', 'the public address'],
  warnings: [],
  quota: [
    { kind: 'gpus', delta: 0, free: 4 },
    { kind: 'publicips', delta: -1, free: 3 },
  ],
  blockers: [],
  token: 't',
};

it('a plan shows the effect on the instance, the changes with names, the losses and the cost', () => {
  expect(renderPlan('web-1', rebuild, nameOf, plain)).toMatchInlineSnapshot(`
    "web-1 would be rebuilt: its disk is replaced with a new one
    FIELD            NOW         THEN           EFFECT
    image            debian-13   ubuntu-24.04   rebuild
    public-ip        yes         no             in place
    security-group   web,g2      none           in place
    user-data        none        5 bytes        in place
    tags             none        team=red       none
    description      none        mine           none
    lost permanently: the root disk, the public address
    quota: publicips -1 (3 free)
    "
  `);
});

it('a plan that would be refused shows the reason', () => {
  const blocked: InstancePlan = {
    ...rebuild,
    action: 'recreate',
    changes: [{ field: 'spec.flavorId', from: 'a', to: 'b', action: 'recreate' }],
    losses: [],
    quota: [{ kind: 'gpus', delta: 2, free: 1 }],
    blockers: [{ reason: 'quota_exceeded', message: 'the change needs 2 more of gpus, of which 1 are left' }],
  };
  expect(renderPlan('web-1', blocked, nameOf, plain)).toMatchInlineSnapshot(`
    "web-1 would be recreated: its machine is replaced with a new one
    FIELD    NOW   THEN   EFFECT
    flavor   a     b      recreate
    quota: gpus +2 (1 free)
    ✗ the change needs 2 more of gpus, of which 1 are left
    "
  `);
});

it('losses are red if there are colours', () => {
  expect(renderPlan('web-1', rebuild, nameOf, picocolors.createColors(true))).toContain('\u001b[31mlost permanently:');
});

it('only the ids in a plan are looked up', () => {
  expect(referencesIn(rebuild)).toEqual([
    { noun: 'image', id: 'i1' },
    { noun: 'image', id: 'i2' },
    { noun: 'securitygroup', id: 'g1' },
    { noun: 'securitygroup', id: 'g2' },
  ]);
});

it('a plan shows its risks', () => {
  expect(renderPlan('web-1', { ...rebuild, warnings: ['there may be no room'] }, nameOf, plain)).toContain(
    'beware: there may be no room\n',
  );
});

it('a refusal names the setting, since resize and apply have no flag for it', () => {
  const message = 'spec.imageId: does not fit the flavor: it is for x86_64, and the flavor is aarch64';
  const blocked = { ...rebuild, blockers: [{ reason: 'invalid_request', message }] };
  expect(renderPlan('web-1', blocked, nameOf, plain)).toContain(
    '✗ image: does not fit the flavor: it is for x86_64, and the flavor is aarch64\n',
  );
});
