import { park, yieldFor, type Park, type Yield } from '@unikorn/core/controller';
import { isProblem } from '@unikorn/core/errors';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { referenceOf } from '@unikorn/core/resource';
import type { IdentityClient } from '@unikorn/identity/client';

import { placementOf, principalOf } from '../placement.ts';

/**
 * Holds the project of a resource until the cloud has deleted the resource. A project that does not exist or is being
 * deleted cannot be held. The project consumer then deletes the resource, and this waits for it. `name` is the readable
 * name of the resource.
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

/** Releases the project. */
export function releaseProject(identityClient: IdentityClient, kind: Kind, metadata: Metadata): Promise<void> {
  return identityClient.removeProjectReference(
    principalOf(metadata),
    placementOf(metadata),
    referenceOf(kind, metadata.name),
  );
}
