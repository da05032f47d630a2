import { describe, expect, it } from 'vitest';

import { serviceCaller, tokenCaller } from '@unikorn/core/access';

import { asCaller } from './on-behalf.ts';

const scope = { organizationId: 'o', projectId: 'p' };

describe('the principal of a call to region', () => {
  it('is the principal of the call, wherever the instance is', () => {
    const principal = { actor: 'jane', type: 'user', organizationId: 'hers', projectId: 'hers-too' };
    expect(
      asCaller(
        serviceCaller({ type: 'certificate', commonName: 'unikorn-kubernetes', principal, impersonate: true }),
        scope,
      ),
    ).toEqual({ principal, impersonate: true });
  });

  it('is the caller in the scope of the instance, if the call has no principal', () => {
    const caller = tokenCaller({ subject: 'jane', accountType: 'user', organizationIds: ['o'] }, {});
    expect(asCaller(caller, scope)).toEqual({ principal: { ...caller.principal, ...scope }, impersonate: true });
  });
});
