import { allowsProject, authorOf, projectCreation, type Caller, type Operation } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { scopedView, type Item, type Request, type View } from '@unikorn/core/http';
import type { Kind, Metadata, Resource, WritableMetadata } from '@unikorn/core/kinds';
import { childOf, finalizers, labels, matchesTags, newMetadata, parseTagSelector, rejectReservedTags, type Naming, type Tag } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';
import type { IdentityClient, ProjectScope } from '@unikorn/identity/client';

import { Network } from '../kinds/index.ts';
import { placementOf } from '../placement.ts';
import { endpoints } from './endpoints.ts';

/** Objects of this generation of the API say so; others are not shown. */
export const generation = { [labels.apiVersion]: '2' } as const;

export function allowsOn(acl: Request['acl'], endpoint: string, verb: Operation, { labels: carried }: Pick<Metadata, 'labels'>): boolean {
  return allowsProject(acl, endpoint, verb, carried?.[labels.organization] ?? '', carried?.[labels.project] ?? '');
}

/** A resource of a project behind a path that names nothing but its id. */
export function projectItem<K extends Kind>(kind: K, param: string, endpoint: string): Item<K> {
  return { kind, param, access: { order: 'load first', allows: (verb, { metadata }, { acl }) => allowsOn(acl, endpoint, verb, metadata) } };
}

/** What every list of a project's resources can be narrowed by; a kind that has no such label does not offer it. */
export interface ListFilter {
  readonly organizationID?: readonly string[];
  readonly projectID?: readonly string[];
  readonly regionID?: readonly string[];
  readonly networkID?: readonly string[];
  readonly tag?: readonly string[];
}

type Tagged = Resource & { readonly spec: { readonly tags?: readonly Tag[] } };

/** What the caller may see of what the query asks for: narrowed by labels first, then by tags and rights. */
export function projectView({ acl, query }: { readonly acl: Request['acl']; readonly query: ListFilter }, endpoint: string): View & { readonly visible: (object: Tagged) => boolean } {
  const filter = matching({
    ...(query.regionID ? { [labels.region]: query.regionID } : {}),
    ...(query.networkID ? { [labels.network]: query.networkID } : {}),
  });
  const wanted = parseTagSelector(query.tag ?? []);
  const { selector, visible } = scopedView(acl, endpoint, { organizationIds: query.organizationID, projectIds: query.projectID }, filter);
  return { selector, visible: (object: Tagged) => visible(object) && matchesTags(object.spec.tags, wanted) };
}

/** Tags as a spec keeps them: verbatim and absent rather than empty. Only our own services may use the names that are reserved. */
export function storedTags(tags: readonly Tag[] | undefined, { accountType }: Pick<Caller, 'accountType'>): { readonly tags?: readonly Tag[] } {
  if (accountType !== 'system') rejectReservedTags(tags);
  return tags?.length ? { tags } : {};
}

/** Refuses whoever may not create this in the project; a right for the whole organization is no proof that the project exists. */
export async function demandCreation({ acl, caller }: Pick<Request, 'acl' | 'caller'>, identity: IdentityClient, endpoint: string, scope: ProjectScope): Promise<void> {
  const verdict = projectCreation(acl, endpoint, scope.organizationId, scope.projectId);
  if (verdict === 'refused') throw new Problem('forbidden', `your roles do not allow create on ${endpoint} here`);
  const project = await identity.project(caller.principal, scope);
  if (!project) throw new Problem('not_found', `project ${scope.projectId} does not exist in organization ${scope.organizationId}`);
  if (project.deleting) throw new Problem('unprocessable_content', `project ${scope.projectId} is being deleted`);
}

/** The network a caller names, resolved with their rights; everything in it has its region and project. */
export async function networkFor({ acl, runtime }: Pick<Request, 'acl' | 'runtime'>, networkId: string): Promise<Network> {
  const network = await runtime.store.get(Network, networkId);
  if (!network || !allowsOn(acl, endpoints.networks, 'read', network.metadata)) throw new Problem('not_found', `network ${networkId} does not exist`);
  return network;
}

/** The same for something new to be put into it. */
export async function openNetworkFor(request: Pick<Request, 'acl' | 'runtime'>, networkId: string): Promise<Network> {
  const network = await networkFor(request, networkId);
  if (network.metadata.deletionTimestamp !== undefined) throw new Problem('unprocessable_content', `network ${networkId} is being deleted`);
  return network;
}

/**
 * Metadata of something new in a network: its region, principal and project are the network's, and it goes with it. Its
 * controller's hold is there from the start, so that nothing can vanish before it was seen.
 */
export function metadataInNetwork(id: string, naming: Naming, network: Network, caller: Caller, extra: Readonly<Record<string, string>> = {}): WritableMetadata {
  const scope = placementOf(network.metadata);
  const { [labels.region]: region = '', [labels.identity]: identity = '' } = network.metadata.labels ?? {};
  const metadata = newMetadata(id, naming, scope, authorOf(caller, scope), {
    labels: { ...generation, [labels.region]: region, [labels.identity]: identity, [labels.network]: network.metadata.name, ...extra },
  });
  return { ...metadata, finalizers: [finalizers.framework], ownerReferences: [childOf(network)] };
}
