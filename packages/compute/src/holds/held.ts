import { parseReference } from '@unikorn/core/resource';
import type { IdentityClient, ProjectScope } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import { ComputeInstance } from '../kinds/index.ts';
import type { Used } from './wanted.ts';

export interface HeldDeps {
  readonly identityClient: Pick<IdentityClient, 'projectReferences'>;
  readonly regionClient: Pick<RegionClient, 'references'>;
}

/** A reference of an instance, as region or identity has stored it. */
export interface HeldReference {
  readonly used: Used;
  /** The instance, which may no longer exist. */
  readonly instanceId: string;
  readonly protects: boolean;
  /** The saga runs that have a claim on it; none if only the instance itself has one. */
  readonly claims: readonly string[];
  /** The scope of the used resource. */
  readonly scope: ProjectScope;
}

/** With compute's own permissions, without a principal. */
const on = { principal: {}, impersonate: false };

/** The references of one instance. */
export function heldBy(deps: HeldDeps, user: string): AsyncIterable<HeldReference> {
  return references(deps, { user });
}

/** The references of all instances. Region and identity are read page by page, and never once per instance. */
export function heldByAll(deps: HeldDeps): AsyncIterable<HeldReference> {
  return references(deps, { userKind: ComputeInstance.id });
}

async function* references(
  { identityClient, regionClient }: HeldDeps,
  query: { readonly user: string } | { readonly userKind: string },
): AsyncGenerator<HeldReference> {
  for await (const { used, user, protects, claims, organizationId, projectId } of regionClient.references(on, query))
    yield { used, instanceId: parseReference(user).id, protects, claims, scope: { organizationId, projectId } };
  for await (const { user, protects, claims, organizationId, projectId } of identityClient.projectReferences({}, query))
    yield {
      used: { what: 'project', id: projectId },
      instanceId: parseReference(user).id,
      protects,
      claims,
      scope: { organizationId, projectId },
    };
}
