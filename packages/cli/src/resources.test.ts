import { describe, expect, it } from 'vitest';

import { network } from './nouns/network.ts';
import { user } from './nouns/user.ts';
import { handleOf, nameOf, placeOf } from './resources.ts';

describe('a resource', () => {
  it('has the name that users see', () => {
    const alice = { metadata: { id: '1', name: 'alice' }, spec: { subject: 'alice@example.com' } };
    expect(nameOf(user, alice)).toBe('alice@example.com');
  });

  it('is found by its name, unless that could be the id of another', () => {
    const web = { metadata: { id: '1', name: 'web' } };
    const disguised = { metadata: { id: '2', name: 'c35065d0-df28-5c2e-88d4-922853c28347' } };
    expect([web, disguised].map((object) => handleOf(network, object))).toEqual(['web', '2']);
    expect(handleOf(network, web, [web, { metadata: { id: 'web', name: 'other' } }])).toBe('1');
  });

  it('is in the scope of its metadata and region', () => {
    const object = {
      metadata: { id: '1', name: 'web', organizationId: 'o', projectId: 'p' },
      status: { regionId: 'r' },
    };
    expect(placeOf(object)).toEqual({ organization: 'o', project: 'p', region: 'r' });
  });
});
