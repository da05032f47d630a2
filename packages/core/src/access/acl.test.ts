import { describe, expect, it } from 'vitest';

import { isProblem } from '../errors/index.ts';
import {
  allowsGlobal,
  allowsOrganization,
  allowsProject,
  demand,
  intersectAccess,
  projectCreation,
  type Acl,
} from './index.ts';

const things = (...operations: ('create' | 'read' | 'update' | 'delete')[]) => [{ name: 'things', operations }];
const global: Acl = { global: things('read', 'create') };
const organization: Acl = { organizations: [{ id: 'o', endpoints: things('read', 'create') }] };
const project: Acl = { organizations: [{ id: 'o', projects: [{ id: 'p', endpoints: things('read', 'create') }] }] };

describe('a wider scope satisfies a narrower one', () => {
  it.each([
    ['a global right', global, [true, true, true]],
    ["an organization's right", organization, [false, true, true]],
    ["a project's right", project, [false, false, true]],
    ['no right', {}, [false, false, false]],
  ])('%s', (_name, acl: Acl, expected) => {
    expect([
      allowsGlobal(acl, 'things', 'read'),
      allowsOrganization(acl, 'things', 'read', 'o'),
      allowsProject(acl, 'things', 'read', 'o', 'p'),
    ]).toEqual(expected);
  });

  it.each([global, organization, project])('but not another operation or another endpoint: %j', (acl) => {
    expect(allowsProject(acl, 'things', 'delete', 'o', 'p')).toBe(false);
    expect(allowsProject(acl, 'others', 'read', 'o', 'p')).toBe(false);
  });

  it.each([organization, project])('nor another organization: %j', (acl) => {
    expect(allowsProject(acl, 'things', 'read', 'other', 'p')).toBe(false);
  });
});

describe('a create in a project that the body names', () => {
  it.each([
    [project, 'allowed'],
    [global, 'allowed'],
    [organization, 'allowed if the project exists'],
    [{}, 'refused'],
  ])('%j is %s', (acl: Acl, expected) => {
    expect(projectCreation(acl, 'things', 'o', 'p')).toBe(expected);
  });
});

describe('a demand', () => {
  it('passes silently or is refused as forbidden', () => {
    expect(() => {
      demand(true, 'things', 'read');
    }).not.toThrow();
    expect(() => {
      demand(false, 'things', 'read');
    }).toThrow(expect.toSatisfy((error: unknown) => isProblem(error, 'forbidden')));
  });
});

describe('impersonation', () => {
  it('leaves the rights of the user that the service also has globally', () => {
    const user: Acl = {
      global: things('read'),
      organizations: [
        {
          id: 'o',
          endpoints: [...things('read', 'delete'), { name: 'others', operations: ['read'] }],
          projects: [{ id: 'p', endpoints: things('create', 'update') }],
        },
      ],
    };
    expect(intersectAccess(user, things('read', 'create'))).toEqual({
      global: things('read'),
      organizations: [{ id: 'o', endpoints: things('read'), projects: [{ id: 'p', endpoints: things('create') }] }],
    });
  });

  it('is computed separately for each service', () => {
    const user: Acl = {
      global: things('read', 'delete'),
      organizations: [
        { id: 'o', endpoints: things('read', 'delete'), projects: [{ id: 'p', endpoints: things('read', 'delete') }] },
      ],
    };
    const cut = (operation: 'read' | 'delete') => ({
      global: things(operation),
      organizations: [{ id: 'o', endpoints: things(operation), projects: [{ id: 'p', endpoints: things(operation) }] }],
    });
    const [reader, deleter] = [things('read'), things('delete')];
    // Both services get the same lists in turn. The cached result for one service must not be used for the other.
    for (let turn = 0; turn < 2; turn++) {
      expect(intersectAccess(user, reader)).toEqual(cut('read'));
      expect(intersectAccess(user, deleter)).toEqual(cut('delete'));
    }
  });

  it('gives a service without rights nothing', () => {
    expect(allowsProject(intersectAccess(organization, []), 'things', 'read', 'o', 'p')).toBe(false);
  });
});
