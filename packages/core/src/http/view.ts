import { isVisible, scopeSelector, visibleScopes, type Acl, type ScopeQuery } from '../access/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';
import type { Selector } from '../store/index.ts';

/** The objects of a kind that one caller may see: a selection by indexes, and a filter for single objects. */
export interface View<K extends Kind = Kind> {
  readonly selector: Selector;
  readonly visible: (object: Resource<K>) => boolean;
}

const emptyView: View = { selector: [{ key: labels.organization, operator: 'in', values: [] }], visible: () => false };

/**
 * The objects that the query selects, in the organizations and projects where the caller may read `endpoint`.
 *
 * @example scopedView(request.acl, 'compute:instances', { organizationIds: request.query.organizationID })
 */
export function scopedView(acl: Acl, endpoint: string, query: ScopeQuery = {}, filter: Selector = []): View {
  const visibility = visibleScopes(acl, endpoint, 'read', query);
  if (visibility.type === 'nothing') return emptyView;
  return {
    selector: [...scopeSelector(visibility, query), ...filter],
    visible: (object) => isVisible(visibility, object),
  };
}
