import { describe, expect, it } from 'vitest';

import type { Instance, InstancePlan } from '@unikorn/sdk';

import { isAlready, verdictOn, type Consent } from './consent.ts';

const change = { field: 'spec.imageId', from: 'a', to: 'b', action: 'rebuild' } as const;
const rebuild: InstancePlan = {
  action: 'rebuild',
  changes: [change],
  losses: ['the root disk'],
  warnings: [],
  quota: [],
  blockers: [],
  token: 't',
};
const inPlace: InstancePlan = { ...rebuild, action: 'in-place', losses: [] };
const pipe: Consent = { yes: false, interactive: false };
const terminal: Consent = { yes: false, interactive: true };

describe('a change', () => {
  it('without effect is not made', () => {
    expect(verdictOn({ ...rebuild, action: 'none', changes: [], losses: [] }, pipe)).toEqual({ type: 'nothing' });
  });

  it('without disruption and loss needs no confirmation', () => {
    expect(verdictOn(inPlace, pipe)).toEqual({ type: 'go' });
    expect(verdictOn({ ...inPlace, action: 'none' }, pipe)).toEqual({ type: 'go' });
  });

  it('with a loss needs confirmation, even if it is made in place', () => {
    const losing = { ...inPlace, losses: ['the public address'] };
    expect(verdictOn(losing, terminal)).toEqual({ type: 'ask' });
    expect(verdictOn(losing, pipe)).toEqual({
      type: 'refuse',
      why: 'there is no terminal to ask for confirmation: repeat the command with --yes to confirm',
    });
    expect(verdictOn(losing, { ...pipe, allow: 'restart' })).toEqual({ type: 'go' });
  });

  it('with disruption needs confirmation on a terminal, and is otherwise refused with the flag that allows it', () => {
    expect(verdictOn(rebuild, terminal)).toEqual({ type: 'ask' });
    expect(verdictOn(rebuild, pipe)).toEqual({
      type: 'refuse',
      why: 'there is no terminal to ask for confirmation: repeat the command with --yes or --allow rebuild to confirm',
    });
    expect(verdictOn(rebuild, { ...pipe, yes: true })).toEqual({ type: 'go' });
  });

  it.each([
    ['rebuild', 'go'],
    ['recreate', 'go'],
    ['restart', 'refuse'],
  ] as const)('that needs rebuild, with --allow %s: %s', (allow, type) => {
    expect(verdictOn(rebuild, { ...terminal, allow })).toMatchObject({ type });
    expect(verdictOn(rebuild, { ...pipe, yes: true, allow })).toMatchObject({ type });
  });

  it('that the service would refuse is refused, whatever was confirmed', () => {
    expect(
      verdictOn(
        { ...rebuild, blockers: [{ reason: 'quota_exceeded', message: 'no more' }] },
        { yes: true, allow: 'recreate', interactive: true },
      ),
    ).toMatchObject({ type: 'refuse' });
  });
});

describe('an instance', () => {
  const spec = { flavorId: 'f', imageId: 'old', networking: {} };
  const at = (provisioningStatus: 'provisioned' | 'provisioning', imageId: string): Instance => ({
    metadata: {
      id: 'i',
      name: 'web',
      organizationId: 'o',
      projectId: 'p',
      creationTime: '',
      healthStatus: 'healthy',
      provisioningStatus,
    },
    spec: { ...spec, imageId },
    status: { regionId: 'r', networkId: 'n' },
  });
  const wanted = { metadata: { name: 'web' }, spec: { flavorId: 'f', imageId: 'old' } };

  it('that a plan would not change is not updated, unless another change is in progress', () => {
    expect(isAlready(wanted, at('provisioned', 'old'))).toBe(true);
    expect(isAlready(wanted, at('provisioning', 'old'))).toBe(true);
    expect(isAlready(wanted, at('provisioning', 'new'))).toBe(false);
  });
});
