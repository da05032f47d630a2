import { describe, expect, it } from 'vitest';

import {
  availableReasons,
  healthStatus,
  provisioningStatus,
  type Condition,
  type ProvisioningStatus,
} from './index.ts';

function standing(condition?: Partial<Condition>, deletionTimestamp?: string) {
  const whole: Condition = {
    type: 'Available',
    status: 'False',
    reason: 'Provisioning',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    ...condition,
  };
  return {
    metadata: deletionTimestamp === undefined ? {} : { deletionTimestamp },
    status: { conditions: condition ? [whole] : [] },
  };
}

describe('provisioning status', () => {
  const expected: Record<(typeof availableReasons)[number], ProvisioningStatus> = {
    Provisioning: 'provisioning',
    DependencyNotReady: 'provisioning',
    DependencyFailed: 'provisioning',
    Provisioned: 'provisioned',
    Errored: 'error',
    DependencyNotFound: 'error',
    Deprovisioning: 'deprovisioning',
    Deprovisioned: 'deprovisioning',
  };

  it.each(availableReasons)('follows from the reason %s', (reason) => {
    expect(provisioningStatus(standing({ reason }), 'controlled')).toBe(expected[reason]);
  });

  it.each(availableReasons)('a deletion that was asked for wins over %s, at once', (reason) => {
    expect(provisioningStatus(standing({ reason }, '2026-01-01T00:00:00Z'), 'controlled')).toBe('deprovisioning');
  });

  it('a deletion wins over a kind without conditions, too', () => {
    expect(provisioningStatus(standing(undefined, '2026-01-01T00:00:00Z'), 'static')).toBe('deprovisioning');
  });

  it('a kind without conditions is provisioned as soon as it is stored', () => {
    expect(provisioningStatus({ metadata: {} }, 'static')).toBe('provisioned');
  });

  it('an object that was not reconciled yet is pending', () => {
    expect(provisioningStatus({ metadata: {} }, 'controlled')).toBe('pending');
    expect(provisioningStatus(standing(), 'controlled')).toBe('pending');
    expect(provisioningStatus(standing({ type: 'Healthy', reason: 'Healthy' }), 'controlled')).toBe('pending');
  });

  it('an unknown reason is never shown as progress', () => {
    expect(provisioningStatus(standing({ reason: 'QuotaGone', status: 'False' }), 'controlled')).toBe('error');
    expect(provisioningStatus(standing({ reason: 'QuotaGone', status: 'Unknown' }), 'controlled')).toBe('error');
    expect(provisioningStatus(standing({ reason: 'Settled', status: 'True' }), 'controlled')).toBe('provisioned');
  });
});

describe('health status', () => {
  it.each([
    ['Healthy', 'healthy'],
    ['Degraded', 'degraded'],
    ['Unknown', 'unknown'],
    ['Errored', 'error'],
    ['SomethingElse', 'unknown'],
  ])('the reason %s reads as %s', (reason, expected) => {
    expect(healthStatus(standing({ type: 'Healthy', reason }), 'controlled')).toBe(expected);
  });

  it('is unknown until a controller has reported it, and healthy for a kind without a controller', () => {
    expect(healthStatus({ metadata: {} }, 'controlled')).toBe('unknown');
    expect(healthStatus(standing({ reason: 'Provisioned' }), 'controlled')).toBe('unknown');
    expect(healthStatus({ metadata: {} }, 'static')).toBe('healthy');
  });
});
