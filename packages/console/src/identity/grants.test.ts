import { describe, expect, it } from 'vitest';

import type { Group, Project, Role } from '@unikorn/sdk';

import { groupWithRole, lockOfGroup, lockOfRole, projectWithGroup } from './grants.ts';

const metadata = (name: string) => ({
  id: name,
  name,
  organizationId: 'acme',
  creationTime: '2026-11-17T12:00:00Z',
  provisioningStatus: 'provisioned' as const,
  healthStatus: 'healthy' as const,
});
const role = (name: string, grantable: boolean): Role => ({ metadata: metadata(name), grantable });
const group = (name: string, roleIDs: string[]): Group => ({
  metadata: metadata(name),
  spec: { subjects: [], userIDs: [], serviceAccountIDs: [], roleIDs },
});
const project = (groupIDs: string[]): Project => ({ metadata: metadata('shop'), spec: { groupIDs } });

const reader = role('reader', true);
const administrator = role('administrator', false);
const roles = [reader, administrator];

describe('a role of a group', () => {
  it('can be changed by a user who can assign it', () => {
    expect(lockOfRole(group('developers', []), reader, roles)).toBeUndefined();
  });

  it('is locked if the user cannot assign it', () => {
    expect(lockOfRole(group('developers', []), administrator, roles)).toContain('cannot assign this role');
  });

  it('is locked if the group has another role that the user cannot assign', () => {
    expect(lockOfRole(group('owners', ['administrator']), reader, roles)).toContain('administrator');
  });
});

describe('a group of a project', () => {
  it('can be removed, but not added, by a user who cannot assign its roles', () => {
    const owners = group('owners', ['administrator']);
    expect(lockOfGroup(project([]), owners, roles)).toContain('administrator');
    expect(lockOfGroup(project(['owners']), owners, roles)).toBeUndefined();
    expect(lockOfGroup(project([]), group('readers', ['reader']), roles)).toBeUndefined();
  });

  it('is locked while the project is being deleted, because the service refuses every change of it', () => {
    const { metadata: shop, spec } = project(['readers']);
    const leaving: Project = { metadata: { ...shop, provisioningStatus: 'deprovisioning' }, spec };
    expect(lockOfGroup(leaving, group('readers', ['reader']), roles)).toBe(
      'shop is being deleted, so it cannot be changed.',
    );
  });
});

it('a change leaves everything else of a group and of a project as it is', () => {
  const subjects = [{ id: 'eve@example.com', issuer: 'https://elsewhere.example.com' }];
  const before: Group = {
    metadata: { ...metadata('developers'), description: 'ours', tags: [{ name: 'team', value: 'a' }] },
    spec: { subjects, userIDs: ['1'], serviceAccountIDs: ['robot'], roleIDs: ['reader'] },
  };
  expect(groupWithRole(before, role('user', true), true)).toEqual({
    metadata: { name: 'developers', description: 'ours', tags: [{ name: 'team', value: 'a' }] },
    spec: { subjects, serviceAccountIDs: ['robot'], roleIDs: ['reader', 'user'] },
  });
  expect(projectWithGroup(project(['a', 'b']), group('a', []), false)).toEqual({
    metadata: { name: 'shop' },
    spec: { groupIDs: ['b'] },
  });
});
