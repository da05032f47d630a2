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
  /** The runs of sagas that hold it; none where the instance itself does. */
  readonly claims: readonly string[];
  /** Where the used resource is. */
  readonly scope: ProjectScope;
}

/** With compute's own rights, in nobody's name. */
const on = { principal: {}, impersonate: false };

/** What one instance holds. */
export function heldBy(deps: HeldDeps, user: string): AsyncIterable<HeldReference> {
  return references(deps, { user });
}

/** What all instances hold. Region and identity are asked page by page, and never for one instance. */
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
