import type { Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import type { Selector } from '../store/index.ts';
import { allowsGlobal, allowsOrganization, type Acl, type Operation } from './acl.ts';

/** Whole organizations, and single projects of other organizations. */
interface Some {
  readonly type: 'some';
  readonly organizations: readonly string[];
  readonly projects: readonly { readonly organizationId: string; readonly id: string }[];
}

/** The objects that a list may show. */
export type Visibility = { readonly type: 'everything' } | { readonly type: 'nothing' } | Some;

/** The filters of a request. An empty or absent filter selects everything. */
export interface ScopeQuery {
  readonly organizationIds?: readonly string[] | undefined;
  readonly projectIds?: readonly string[] | undefined;
}

function wanted(filter: readonly string[] | undefined, id: string): boolean {
  return !filter?.length || filter.includes(id);
}

/**
 * Limits a list to the objects that the query selects and the caller may see. The organizations of a caller with a
 * global grant do not limit the list. A query for organizations that the caller may not see returns nothing.
 *
 * @example const visibility = visibleScopes(acl, 'compute:instances', 'read', { organizationIds: query.organizationID });
 */
export function visibleScopes(acl: Acl, endpoint: string, operation: Operation, query: ScopeQuery = {}): Visibility {
  if (allowsGlobal(acl, endpoint, operation)) return { type: 'everything' };
  const candidates = (acl.organizations ?? []).filter(({ id }) => wanted(query.organizationIds, id));
  const whole = candidates.filter(({ id }) => allowsOrganization(acl, endpoint, operation, id));
  const projects = candidates
    .filter((organization) => !whole.includes(organization))
    .flatMap(({ id: organizationId, projects = [] }) =>
      projects
        .filter(
          ({ id, endpoints }) =>
            wanted(query.projectIds, id) &&
            endpoints.some(({ name, operations }) => name === endpoint && operations.includes(operation)),
        )
        .map(({ id }) => ({ organizationId, id })),
    );
  if (whole.length === 0 && projects.length === 0) return { type: 'nothing' };
  return { type: 'some', organizations: whole.map(({ id }) => id), projects };
}

/**
 * The part of the visibility that a label selector can express, so that the store can use its indexes. `isVisible`
 * checks the rest.
 *
 * @example const { items } = await store.list(Network, { selector: scopeSelector(visibility, query) });
 */
export function scopeSelector(visibility: Visibility, query: ScopeQuery = {}): Selector {
  const requested: Selector = [
    ...(query.organizationIds?.length
      ? [{ key: labels.organization, operator: 'in' as const, values: query.organizationIds }]
      : []),
    ...(query.projectIds?.length ? [{ key: labels.project, operator: 'in' as const, values: query.projectIds }] : []),
  ];
  if (visibility.type !== 'some') return requested;
  const organizations = new Set([
    ...visibility.organizations,
    ...visibility.projects.map(({ organizationId }) => organizationId),
  ]);
  // A selector with more projects than a page has objects costs more than reading all objects of their organizations.
  const onlyProjects = visibility.organizations.length === 0 && visibility.projects.length <= limits.pageItems;
  return [
    ...requested,
    { key: labels.organization, operator: 'in', values: [...organizations] },
    ...(onlyProjects
      ? [{ key: labels.project, operator: 'in' as const, values: visibility.projects.map(({ id }) => id) }]
      : []),
  ];
}

/**
 * Whether an object is in a scope that the caller may see.
 *
 * @example items.filter((network) => isVisible(visibility, network));
 */
export function isVisible(visibility: Visibility, object: Resource): boolean {
  switch (visibility.type) {
    case 'everything':
      return true;
    case 'nothing':
      return false;
    case 'some': {
      const { [labels.organization]: organizationId, [labels.project]: projectId } = object.metadata.labels ?? {};
      if (organizationId === undefined) return false;
      const shown = scopesOf(visibility);
      return shown.has(organizationId) || (projectId !== undefined && shown.has(`${organizationId}/${projectId}`));
    }
  }
}

/** A list checks every object that it finds, so the scopes are kept in sets. */
const scopes = new WeakMap<Some, ReadonlySet<string>>();

function scopesOf(visibility: Some): ReadonlySet<string> {
  const known = scopes.get(visibility);
  if (known) return known;
  const found = new Set([
    ...visibility.organizations,
    ...visibility.projects.map(({ organizationId, id }) => `${organizationId}/${id}`),
  ]);
  scopes.set(visibility, found);
  return found;
}
