import type { Metadata, WritableMetadata } from '../kinds/index.ts';
import { timestamp } from '../world/index.ts';
import { annotations, labels } from './keys.ts';

/** The author of a write: the authenticated caller, and the principal that it acts for. */
export interface Author {
  /** The token's subject; for a service the common name of its certificate. */
  readonly subject: string;
  readonly principal?: { readonly actor?: string; readonly organizationId?: string; readonly projectId?: string };
}

export interface Naming {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The organization and project of a resource. They decide neither who pays nor who may see it. */
export interface Scope {
  readonly organizationId?: string;
  readonly projectId?: string;
}

type Words = Readonly<Record<string, string>>;

function words(entries: readonly (readonly [string, string | undefined])[]): Record<string, string> {
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Metadata of a new resource.
 *
 * @example const metadata = newMetadata(randomId(world), { name: 'frontend' }, { organizationId, projectId }, authorOf(caller));
 */
export function newMetadata(
  id: string,
  naming: Naming,
  scope: Scope,
  author: Author,
  extra: { readonly labels?: Words; readonly annotations?: Words } = {},
): WritableMetadata {
  return {
    name: id,
    labels: words([
      [labels.name, naming.name],
      [labels.organization, scope.organizationId],
      [labels.project, scope.projectId],
      [labels.principalOrganization, author.principal?.organizationId],
      [labels.principalProject, author.principal?.projectId],
      ...Object.entries(extra.labels ?? {}),
    ]),
    annotations: words([
      [annotations.description, naming.description],
      [annotations.creator, author.subject],
      [annotations.principalCreator, author.principal?.actor],
      ...Object.entries(extra.annotations ?? {}),
    ]),
  };
}

/**
 * Metadata of a change to an existing resource: name and description are the new ones, the modifier and time are set,
 * and everything else (creator, principal, allocation, links, finalizers, owners) is kept.
 *
 * @example const metadata = modifiedMetadata(network.metadata, { name: 'backend' }, authorOf(caller), world.now());
 */
export function modifiedMetadata<M extends Metadata>(current: M, naming: Naming, author: Author, now: number): M {
  const replaced = [
    annotations.description,
    annotations.modifier,
    annotations.principalModifier,
    annotations.modifiedTimestamp,
  ];
  const kept = Object.entries(current.annotations ?? {}).filter(([key]) => !replaced.some((other) => other === key));
  return {
    ...current,
    labels: { ...current.labels, [labels.name]: naming.name },
    annotations: words([
      ...kept,
      [annotations.description, naming.description],
      [annotations.modifier, author.subject],
      [annotations.principalModifier, author.principal?.actor],
      [annotations.modifiedTimestamp, timestamp(now)],
    ]),
  };
}
