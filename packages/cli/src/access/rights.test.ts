import { describe, expect, it } from 'vitest';

import type { Acl } from '@unikorn/sdk';

import { endpointsOf, reachOf } from './rights.ts';

const read = (name: string) => [{ name, operations: ['read' as const] }];
const acl: Acl = {
  organizations: [
    { id: 'o', endpoints: read('networks'), projects: [{ id: 'p', endpoints: read('instances') }] },
    { id: 'q', projects: [{ id: 'r', endpoints: read('images') }] },
  ],
};

describe('the scope of a permission', () => {
  it('is the widest scope that includes the place', () => {
    expect(reachOf({ global: read('networks') }, 'read', 'networks', { organizationId: 'any', projectId: 'any' })).toBe(
      'everywhere',
    );
    expect(reachOf(acl, 'read', 'networks', { organizationId: 'o', projectId: 'p' })).toBe('in the organization');
    expect(reachOf(acl, 'read', 'instances', { organizationId: 'o', projectId: 'p' })).toBe('in the project');
  });

  it('is nothing for another operation, endpoint, organization or project', () => {
    expect(reachOf(acl, 'delete', 'networks', { organizationId: 'o' })).toBe('nowhere');
    expect(reachOf(acl, 'read', 'network', { organizationId: 'o' })).toBe('nowhere');
    expect(reachOf(acl, 'read', 'networks', { organizationId: 'q' })).toBe('nowhere');
    expect(reachOf(acl, 'read', 'instances', { organizationId: 'o', projectId: 'other' })).toBe('nowhere');
  });

  it('is checked anywhere if no place is given', () => {
    expect(reachOf(acl, 'read', 'images', {})).toBe('in the project');
    expect(reachOf(acl, 'read', 'images', { organizationId: 'o' })).toBe('nowhere');
  });

  it('names every endpoint once', () => {
    expect(endpointsOf(acl)).toEqual(['images', 'instances', 'networks']);
  });
});
