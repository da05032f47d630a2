import { Type } from 'typebox';

import { allowsProject, type Acl, type Caller, type Operation as Verb } from '../access/index.ts';
import type { Kind, Metadata, Resource } from '../kinds/index.ts';
import { fieldLimits } from '../limits.ts';
import { labels, matchesTags, parseTagSelector, rejectReservedTags, type Tag } from '../resource/index.ts';
import { matching } from '../store/index.ts';
import type { Item } from './item-access.ts';
import { scopedView, type View } from './view.ts';

/**
 * Whether the caller may use this verb on an object of a project.
 *
 * @example if (!allowsOn(acl, 'compute:instances', 'update', instance.metadata)) throw refused;
 */
export function allowsOn(
  acl: Acl,
  endpoint: string,
  verb: Verb,
  { labels: carried }: Pick<Metadata, 'labels'>,
): boolean {
  return allowsProject(acl, endpoint, verb, carried?.[labels.organization] ?? '', carried?.[labels.project] ?? '');
}

/**
 * A resource of a project whose path only contains its id.
 *
 * @example const item = projectItem(ComputeInstance, 'instanceID', 'compute:instances');
 */
export function projectItem<K extends Kind>(kind: K, param: string, endpoint: string): Item<K> {
  return {
    kind,
    param,
    endpoint,
    access: { order: 'load first', allows: (verb, { metadata }, { acl }) => allowsOn(acl, endpoint, verb, metadata) },
  };
}

/** The filters that every list of project resources can have. A kind without such a label does not offer the filter. */
export interface ListFilter {
  readonly organizationID?: readonly string[];
  readonly projectID?: readonly string[];
  readonly regionID?: readonly string[];
  readonly networkID?: readonly string[];
  readonly tag?: readonly string[];
}

/** Identifiers in a query, each as a separate parameter. */
export const IdFilter = Type.Optional(
  Type.Array(Type.String({ maxLength: fieldLimits.id }), { maxItems: fieldLimits.filterValues }),
);

/** Tags in a query, each as `name=value`. */
export const TagFilter = Type.Optional(
  Type.Array(Type.String({ maxLength: fieldLimits.tagName + 1 + fieldLimits.tagValue }), {
    maxItems: fieldLimits.tags,
  }),
);

type Tagged = Resource & { readonly spec: { readonly tags?: readonly Tag[] } };

/**
 * The objects that the query selects and the caller may see: selected by labels first, then filtered by tags and
 * rights.
 *
 * @example view: (request) => projectView(request, 'compute:instances')
 */
export function projectView(
  { acl, query }: { readonly acl: Acl; readonly query: ListFilter },
  endpoint: string,
): View & { readonly visible: (object: Tagged) => boolean } {
  const filter = matching({
    ...(query.regionID ? { [labels.region]: query.regionID } : {}),
    ...(query.networkID ? { [labels.network]: query.networkID } : {}),
  });
  const wanted = parseTagSelector(query.tag ?? []);
  const { selector, visible } = scopedView(
    acl,
    endpoint,
    { organizationIds: query.organizationID, projectIds: query.projectID },
    filter,
  );
  return { selector, visible: (object: Tagged) => visible(object) && matchesTags(object.spec.tags, wanted) };
}

/** Tags as a spec stores them: unchanged, and absent instead of empty. Only our own services may use reserved names. */
export function storedTags(
  tags: readonly Tag[] | undefined,
  { accountType }: Pick<Caller, 'accountType'>,
): { readonly tags?: readonly Tag[] } {
  if (accountType !== 'system') rejectReservedTags(tags);
  return tags?.length ? { tags } : {};
}
