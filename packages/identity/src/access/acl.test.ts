import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { allowsGlobal, allowsOrganization, allowsProject, operations, type Endpoint } from '@unikorn/core/access';
import { labels } from '@unikorn/core/resource';

import { Group, Project } from '../kinds/index.ts';
import { buildAcl, withinOrganizations, type AclSubject, type AclView } from './acl.ts';
import type { Role } from './roles.ts';

interface Facts {
  readonly members: readonly string[];
  readonly groups: readonly { readonly id: string; readonly organization: string; readonly roles: readonly string[] }[];
  readonly projects: readonly {
    readonly id: string;
    readonly organization: string;
    readonly groups: readonly string[];
  }[];
  readonly roles: readonly Role[];
  readonly bound?: readonly Role[];
}

const jane: AclSubject = { type: 'user', subject: 'jane@acme.com' };

function object(kind: typeof Group | typeof Project, name: string, organizationId: string) {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '',
      labels: { [labels.organization]: organizationId },
    },
  };
}

function viewOf({ members, groups, projects, roles, bound = [] }: Facts): AclView {
  return {
    organizationsOf: () => members,
    groupsOf: (_subject, organizationId) =>
      groups
        .filter(({ organization }) => organization === organizationId)
        .map(({ id, roles: roleIDs }) => ({
          ...object(Group, id, organizationId),
          spec: { subjects: [], serviceAccountIDs: [], roleIDs },
        })),
    projectsOf: (groupId) =>
      projects
        .filter((project) => project.groups.includes(groupId))
        .map(({ id, organization }) => ({ ...object(Project, id, organization), spec: { groupIDs: [groupId] } })),
    role: (id) => roles.find((role) => role.id === id),
    globalRoles: () => bound,
  };
}

function role(id: string, scopes: Partial<Role['scopes']>): Role {
  return { id, name: id, protected: false, scopes: { global: [], organization: [], project: [], ...scopes } };
}

const read: readonly Endpoint[] = [{ name: 'things', operations: ['read'] }];
const write: readonly Endpoint[] = [{ name: 'things', operations: ['update', 'read'] }];

describe('the permissions of a subject', () => {
  it('in one organization do not apply in another, and in one project not in its sibling', () => {
    const roles = [role('r', { organization: read, project: write })];
    const acl = buildAcl(
      jane,
      viewOf({
        members: ['a', 'b'],
        groups: [{ id: 'g', organization: 'a', roles: ['r'] }],
        projects: [
          { id: 'p', organization: 'a', groups: ['g'] },
          { id: 'q', organization: 'a', groups: [] },
        ],
        roles,
      }),
    );
    expect(acl).toEqual({ organizations: [{ id: 'a', endpoints: read, projects: [{ id: 'p', endpoints: write }] }] });
    expect(allowsProject(acl, 'things', 'update', 'a', 'p')).toBe(true);
    expect(allowsProject(acl, 'things', 'update', 'a', 'q')).toBe(false);
    expect(allowsOrganization(acl, 'things', 'read', 'b')).toBe(false);
  });

  it('in projects of different groups are those that each group grants', () => {
    const roles = [role('r', { project: read }), role('w', { project: write })];
    const groups = [
      { id: 'g', organization: 'a', roles: ['r'] },
      { id: 'h', organization: 'a', roles: ['w'] },
    ];
    const projects = [
      { id: 'p', organization: 'a', groups: ['g'] },
      { id: 'q', organization: 'a', groups: ['h'] },
    ];
    expect(buildAcl(jane, viewOf({ members: ['a'], groups, projects, roles }))).toEqual({
      organizations: [
        {
          id: 'a',
          projects: [
            { id: 'p', endpoints: read },
            { id: 'q', endpoints: write },
          ],
        },
      ],
    });
  });

  it('are the union of several groups', () => {
    const roles = [role('r', { organization: read }), role('w', { organization: write })];
    const acl = buildAcl(
      jane,
      viewOf({
        members: ['a'],
        groups: [
          { id: 'g', organization: 'a', roles: ['r'] },
          { id: 'h', organization: 'a', roles: ['w'] },
        ],
        projects: [],
        roles,
      }),
    );
    expect(acl).toEqual({
      organizations: [{ id: 'a', endpoints: [{ name: 'things', operations: ['read', 'update'] }] }],
    });
  });

  it('through a group never go beyond the organization', () => {
    const acl = buildAcl(
      jane,
      viewOf({
        members: ['a'],
        groups: [{ id: 'g', organization: 'a', roles: ['r'] }],
        projects: [],
        roles: [role('r', { global: write })],
      }),
    );
    expect(acl).toEqual({});
  });

  it('ignore a role that no longer exists', () => {
    const acl = buildAcl(
      jane,
      viewOf({
        members: ['a'],
        groups: [{ id: 'g', organization: 'a', roles: ['gone', 'r'] }],
        projects: [],
        roles: [role('r', { organization: read })],
      }),
    );
    expect(acl).toEqual({ organizations: [{ id: 'a', endpoints: read }] });
  });

  it('are only the platform-wide roles, if there are any', () => {
    const facts: Facts = {
      members: ['a'],
      groups: [{ id: 'g', organization: 'a', roles: ['r'] }],
      projects: [],
      roles: [role('r', { organization: write })],
      bound: [role('p', { global: read, organization: write })],
    };
    expect(buildAcl(jane, viewOf(facts))).toEqual({ global: read });
  });

  it('are empty for a subject without groups', () => {
    expect(buildAcl(jane, viewOf({ members: ['a'], groups: [], projects: [], roles: [] }))).toEqual({});
  });

  it('are granted exactly by the roles of the groups for that scope', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const endpoints = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('x', 'y'),
        operations: fc.uniqueArray(fc.constantFrom(...operations), { minLength: 1 }),
      }),
      { selector: ({ name }) => name },
    );
    const roles = fc.uniqueArray(
      fc
        .record({ id, global: endpoints, organization: endpoints, project: endpoints })
        .map(({ id: name, ...scopes }) => role(name, scopes)),
      { selector: (made) => made.id },
    );
    const groups = fc.uniqueArray(fc.record({ id, organization: id, roles: fc.uniqueArray(id) }), {
      selector: (group) => group.id,
    });
    const projects = fc.uniqueArray(fc.record({ id, organization: id, groups: fc.uniqueArray(id) }), {
      selector: (project) => project.id,
    });
    fc.assert(
      fc.property(
        fc.record({ members: fc.uniqueArray(id), groups, projects, roles }),
        id,
        id,
        fc.constantFrom('x', 'y'),
        fc.constantFrom(...operations),
        (drawn, organization, project, endpoint, operation) => {
          // The handlers ensure that a project is linked only to groups of its own organization.
          const facts = {
            ...drawn,
            projects: drawn.projects.map((entry) => ({
              ...entry,
              groups: entry.groups.filter((group) =>
                drawn.groups.some((known) => known.id === group && known.organization === entry.organization),
              ),
            })),
          };
          const acl = buildAcl(jane, viewOf(facts));
          const mine = facts.members.includes(organization)
            ? facts.groups.filter((group) => group.organization === organization)
            : [];
          const through = (candidates: Facts['groups'], scope: 'organization' | 'project') =>
            candidates.some((group) =>
              group.roles.some((roleId) =>
                facts.roles
                  .find((known) => known.id === roleId)
                  ?.scopes[scope].some(
                    (granted) => granted.name === endpoint && granted.operations.includes(operation),
                  ),
              ),
            );
          const linked = mine.filter((group) =>
            facts.projects.some(
              (entry) => entry.id === project && entry.organization === organization && entry.groups.includes(group.id),
            ),
          );
          expect(allowsGlobal(acl, endpoint, operation)).toBe(false);
          expect(allowsOrganization(acl, endpoint, operation, organization)).toBe(through(mine, 'organization'));
          expect(allowsProject(acl, endpoint, operation, organization, project)).toBe(
            through(mine, 'organization') || through(linked, 'project'),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('an access list within an organization', () => {
  it('keeps the global part and drops the other organizations', () => {
    const acl = {
      global: read,
      organizations: [
        { id: 'a', endpoints: read },
        { id: 'b', endpoints: write },
      ],
    };
    expect(withinOrganizations(acl, ['b'])).toEqual({ global: read, organizations: [{ id: 'b', endpoints: write }] });
    expect(withinOrganizations({ organizations: acl.organizations }, ['c'])).toEqual({});
  });
});
