import { isProblem, Problem } from '@unikorn/core/errors';
import type { OnBehalf } from '@unikorn/core/calls';
import type { ProjectScope } from '@unikorn/identity/client';
import type { FlavorRead, ImageRead, NetworkRead, RegionClient } from '@unikorn/region/client';

/** The caller on whose behalf region is asked about references, and the project of the instance. */
export interface Naming {
  readonly regionClient: RegionClient;
  readonly on: OnBehalf;
  readonly scope: ProjectScope;
}

interface Read {
  readonly metadata: { readonly organizationId: string; readonly projectId: string; readonly deletionTime?: string };
}

export function unprocessable(message: string): Problem {
  return new Problem('unprocessable_content', message);
}

/** A resource that the caller may not see is reported as not existing, whatever the reason. */
async function seen<T>(field: string, what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isProblem(error, 'not_found') && !isProblem(error, 'forbidden')) throw error;
    throw new Problem('not_found', `${field}: ${what} does not exist`, { cause: error });
  }
}

/** A resource that the caller may see can still be in another project. */
function checkPlace(field: string, { metadata }: Read, { organizationId, projectId }: ProjectScope): void {
  if (metadata.organizationId !== organizationId || metadata.projectId !== projectId)
    throw unprocessable(`${field}: must be of the same project as the instance`);
  if (metadata.deletionTime !== undefined) throw unprocessable(`${field}: is being deleted`);
}

/** The network of a new instance, which determines its region. */
export async function networkFor({ regionClient, on, scope }: Naming, networkId: string): Promise<NetworkRead> {
  const field = 'spec.networkId';
  const network = await seen(field, `network ${networkId}`, () => regionClient.network(on, networkId));
  checkPlace(field, network, scope);
  return network;
}

/**
 * Refuses security groups of other networks, and groups that are named twice. Groups that the instance already has are
 * not checked again.
 */
export async function checkSecurityGroups(
  { regionClient, on, scope }: Naming,
  networkId: string,
  ids: readonly string[] = [],
  known: readonly string[] = [],
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const field = `spec.networking.securityGroups.${index}`;
    if (ids.indexOf(id) !== index) throw unprocessable(`${field}: is listed twice`);
    if (known.includes(id)) continue;
    const group = await seen(field, `security group ${id}`, () => regionClient.securityGroup(on, id));
    checkPlace(field, group, scope);
    if (group.status.networkId !== networkId)
      throw unprocessable(`${field}: must be of the same network as the instance`);
  }
}

/** Refuses an authority of another project, because its certificates can log in to the instance. */
export async function checkAuthority({ regionClient, on, scope }: Naming, id: string): Promise<void> {
  const field = 'spec.sshCertificateAuthorityId';
  checkPlace(
    field,
    await seen(field, `ssh certificate authority ${id}`, () => regionClient.sshCertificateAuthority(on, id)),
    scope,
  );
}

/** The flavors and images that a region offers to the organization of the instance. */
export async function offersOf(
  { regionClient, on, scope }: Naming,
  regionId: string,
): Promise<{ readonly flavors: readonly FlavorRead[]; readonly images: readonly ImageRead[] }> {
  const [flavors, images] = await Promise.all([
    regionClient.flavors(on, scope.organizationId, regionId),
    regionClient.images(on, scope.organizationId, regionId),
  ]);
  return { flavors, images };
}
