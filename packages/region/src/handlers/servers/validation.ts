import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import type { Request } from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { ProjectScope } from '@unikorn/identity/client';

import type { ServerCreate, ServerUpdate } from '../../api/servers.ts';
import { resolvedSshInjection, SecurityGroup, SSHCertificateAuthority, type Server } from '../../kinds/index.ts';
import { parseAddress, parsePrefix } from '../../network/index.ts';
import { placementOf } from '../../placement.ts';
import type { Flavor, Image } from '../../provider/index.ts';
import { imageFits } from '../../servers/index.ts';
import { endpoints } from '../endpoints.ts';
import { allowsOn } from '../project-resources.ts';

export type CreateSpec = DeepReadonly<Static<typeof ServerCreate>>['spec'];
export type UpdateSpec = DeepReadonly<Static<typeof ServerUpdate>>['spec'];
type Asker = Pick<Request, 'acl' | 'runtime'>;

function unprocessable(message: string): Problem {
  return new Problem('unprocessable_content', message);
}

/** Refuses SSH settings that exclude each other. */
export function checkSshInjection({
  sshInjection,
  sshCertificateAuthorityId: authority,
  infrastructureRef,
}: CreateSpec): void {
  if (sshInjection === 'ca' && authority === undefined)
    throw unprocessable('spec.sshCertificateAuthorityId: must be given for the ssh injection ca');
  if (sshInjection !== undefined && sshInjection !== 'ca' && authority !== undefined) {
    throw unprocessable(`spec.sshCertificateAuthorityId: must not be given for the ssh injection ${sshInjection}`);
  }
  const resolved = resolvedSshInjection({
    ...(sshInjection ? { sshInjection } : {}),
    ...defined({ sshCertificateAuthorityID: authority }),
  });
  if (infrastructureRef !== undefined && resolved === 'identityKeypair') {
    throw unprocessable(
      'spec.sshInjection: must be ca or none for a server that names its host, because the key of the network cannot be installed there',
    );
  }
}

/** The authority must be in the same project, because its certificates give access to the server. */
export async function checkAuthority(
  { acl, runtime }: Asker,
  id: string | undefined,
  scope: ProjectScope,
): Promise<void> {
  if (id === undefined) return;
  const authority = await runtime.store.get(SSHCertificateAuthority, id);
  if (!authority || !allowsOn(acl, endpoints.sshCertificateAuthorities, 'read', authority.metadata))
    throw new Problem('not_found', `ssh certificate authority ${id} does not exist`);
  if (authority.metadata.deletionTimestamp !== undefined)
    throw unprocessable(`spec.sshCertificateAuthorityId: ${id} is being deleted`);
  const { organizationId, projectId } = placementOf(authority.metadata);
  if (organizationId !== scope.organizationId || projectId !== scope.projectId)
    throw unprocessable('spec.sshCertificateAuthorityId: must be of the same project as the network');
}

/** Security groups must be in the same network. Being visible to the caller is not enough. */
export async function checkSecurityGroups(
  { acl, runtime }: Asker,
  ids: readonly string[] = [],
  networkId: string,
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const field = `spec.networking.securityGroups.${index}`;
    if (ids.indexOf(id) !== index) throw unprocessable(`${field}: is listed twice`);
    const group = await runtime.store.get(SecurityGroup, id);
    if (!group || !allowsOn(acl, endpoints.securityGroups, 'read', group.metadata))
      throw new Problem('not_found', `security group ${id} does not exist`);
    if (group.metadata.labels?.[labels.network] !== networkId)
      throw unprocessable(`${field}: must be of the same network as the server`);
    if (group.metadata.deletionTimestamp !== undefined) throw unprocessable(`${field}: is being deleted`);
  }
}

/** The image in a request. It must exist and be ready. */
export function readyImage(images: readonly Image[], id: string): Image {
  const image = images.find((candidate) => candidate.id === id);
  if (!image) throw new Problem('not_found', `image ${id} does not exist`);
  if (image.state !== 'ready') throw unprocessable(`spec.imageId: the image is ${image.state}; it must be ready`);
  return image;
}

export function offeredFlavor(flavors: readonly Flavor[], flavorId: string): Flavor {
  const flavor = flavors.find(({ id }) => id === flavorId);
  if (!flavor) throw unprocessable('spec.flavorId: is not offered in the region of the network');
  return flavor;
}

/** Some flavors are reserved for servers that name their host. */
export function checkPinned({ pinnedOnly }: Flavor, { infrastructureRef }: CreateSpec): void {
  if (pinnedOnly && infrastructureRef === undefined)
    throw unprocessable('spec.flavorId: is only for servers that name their host in infrastructureRef');
}

export function checkFit(flavor: Flavor, image: Image): void {
  const misfit = imageFits(flavor, image);
  if (misfit !== undefined) throw unprocessable(`spec.imageId: does not fit the flavor: ${misfit}`);
}

/** Refuses allowed source addresses that are not IPv4 prefixes. */
export function checkSourceAddresses({ networking }: UpdateSpec): void {
  for (const [index, address] of (networking?.allowedSourceAddresses ?? []).entries()) {
    if (!parsePrefix(address))
      throw unprocessable(
        `spec.networking.allowedSourceAddresses.${index}: must be an IPv4 prefix such as 10.0.0.0/24`,
      );
  }
}

/** Refuses an invalid address. Whether the address is available is decided when the server is created. */
export function checkPrivateAddress({ privateIP }: CreateSpec): void {
  if (privateIP !== undefined && parseAddress(privateIP) === undefined)
    throw unprocessable('spec.privateIP: must be an IPv4 address such as 10.0.0.7');
}

/** Refuses to change fields that are fixed at creation. */
export function checkImmutable({ metadata, spec }: Server, name: string, { flavorId }: UpdateSpec): void {
  if (metadata.labels?.[labels.name] !== name) throw unprocessable('metadata.name: cannot be changed');
  if (spec.flavorID !== flavorId)
    throw unprocessable('spec.flavorId: cannot be changed; create another server instead');
}
