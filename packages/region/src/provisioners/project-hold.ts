import { park, yieldFor, type Park, type Yield } from '@unikorn/core/controller';
import { isProblem } from '@unikorn/core/errors';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { referenceOf } from '@unikorn/core/resource';
import type { IdentityClient } from '@unikorn/identity/client';

import { placementOf, principalOf } from '../placement.ts';

/**
 * Keeps the project of something until the cloud has forgotten it. A project that is gone or going cannot be held; what
 * it takes with it is the project consumer's business, and this waits for it. `name` is what people call the thing.
 */
export async function holdProject(
  identityClient: IdentityClient,
  kind: Kind,
  metadata: Metadata,
  name: string,
): Promise<Park<never> | Yield<never> | undefined> {
  const scope = placementOf(metadata);
  try {
    await identityClient.addProjectReference(principalOf(metadata), scope, {
      reference: referenceOf(kind, metadata.name),
      name,
    });
    return undefined;
  } catch (error) {
    if (isProblem(error, 'not_found'))
      return park({ reason: 'DependencyNotFound', message: `project ${scope.projectId} does not exist` });
    if (isProblem(error, 'invalid_request'))
      return yieldFor({ reason: 'DependencyFailed', message: `project ${scope.projectId} is being deleted` });
    throw error;
  }
}

/** Lets go of it. */
export function releaseProject(identityClient: IdentityClient, kind: Kind, metadata: Metadata): Promise<void> {
  return identityClient.removeProjectReference(
    principalOf(metadata),
    placementOf(metadata),
    referenceOf(kind, metadata.name),
  );
}
