import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Resource } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';
import { matches } from '../store/index.ts';
import { allowsProject, isVisible, scopeSelector, visibleScopes, type Acl } from './index.ts';

const read = [{ name: 'things', operations: ['read' as const] }];

function thing(organizationId: string, projectId: string): Resource {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '',
      labels: { [labels.organization]: organizationId, [labels.project]: projectId },
    },
    spec: {},
  };
}

describe('the visible objects of a list', () => {
  it('an administrator who also belongs to an organization is not narrowed to it', () => {
    expect(visibleScopes({ global: read, organizations: [{ id: 'o', endpoints: read }] }, 'things', 'read')).toEqual({
      type: 'everything',
    });
  });

  it('a query for foreign organizations shows nothing', () => {
    const acl: Acl = { organizations: [{ id: 'o', endpoints: read }] };
    expect(visibleScopes(acl, 'things', 'read', { organizationIds: ['foreign'] })).toEqual({ type: 'nothing' });
    expect(visibleScopes(acl, 'things', 'read', { organizationIds: ['foreign', 'o'] })).toEqual({
      type: 'some',
      organizations: ['o'],
      projects: [],
    });
  });

  it('a caller without rights sees nothing', () => {
    expect(visibleScopes({}, 'things', 'read')).toEqual({ type: 'nothing' });
    expect(visibleScopes({ organizations: [{ id: 'o', endpoints: [] }] }, 'things', 'read')).toEqual({
      type: 'nothing',
    });
  });

  it('are exactly the objects that the query selects and the caller may read', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const endpoints = fc.constantFrom(
      read,
      [],
      [{ name: 'others', operations: ['read' as const] }],
      [{ name: 'things', operations: ['update' as const] }],
    );
    const projects = fc.uniqueArray(fc.record({ id, endpoints }), { selector: (project) => project.id, maxLength: 3 });
    const organizations = fc.uniqueArray(fc.record({ id, endpoints, projects }), {
      selector: (organization) => organization.id,
      maxLength: 3,
    });
    const acl: fc.Arbitrary<Acl> = fc.record({ global: endpoints, organizations });
    const filter = fc.option(fc.uniqueArray(id, { maxLength: 2 }), { nil: undefined });
    fc.assert(
      fc.property(acl, filter, filter, id, id, (rights, organizationIds, projectIds, organizationId, projectId) => {
        const query = { organizationIds, projectIds };
        const visibility = visibleScopes(rights, 'things', 'read', query);
        const object = thing(organizationId, projectId);
        const shown =
          isVisible(visibility, object) && matches(scopeSelector(visibility, query), object.metadata.labels);
        const asked =
          (!organizationIds?.length || organizationIds.includes(organizationId)) &&
          (!projectIds?.length || projectIds.includes(projectId));
        expect(shown).toBe(asked && allowsProject(rights, 'things', 'read', organizationId, projectId));
      }),
      { numRuns: 2000 },
    );
  });
});
