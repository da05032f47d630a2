import { describe, expect, it } from 'vitest';

import type { ObservedMember } from '../provider/index.ts';
import { memberHealth } from './load-balancer.ts';

function members(...health: readonly ObservedMember['health'][]): readonly ObservedMember[] {
  return health.map((health, index) => ({ listener: 'web', address: `10.0.0.${130 + index}`, port: 80, health }));
}

describe('the health of a load balancer', () => {
  it.each<[string, readonly ObservedMember[], 'Healthy' | 'Degraded', string]>([
    ['all members answer', members('online', 'online'), 'Healthy', '2 of 2 members answer'],
    ['one does not', members('online', 'offline', 'unmonitored'), 'Degraded', '1 of 2 members answer'],
    ['none does', members('offline'), 'Degraded', '0 of 1 members answer'],
    ['nobody checks', members('unmonitored'), 'Healthy', 'its members have no health checks'],
    ['there are none', [], 'Healthy', 'it has no members'],
  ])('when %s', (_case, observed, reason, message) => {
    expect(memberHealth(observed)).toEqual({
      type: 'Healthy',
      status: reason === 'Healthy' ? 'True' : 'False',
      reason,
      message,
    });
  });
});
