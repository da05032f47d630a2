import type { Static } from 'typebox';

import { authorOf, demand } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { isProblem, Problem } from '@unikorn/core/errors';
import type { Request } from '@unikorn/core/http';
import type { DeepReadonly, Draft, SpecOf } from '@unikorn/core/kinds';
import { isHeld } from '@unikorn/core/references';
import { deterministicId, labels, modifiedMetadata } from '@unikorn/core/resource';

import type { ServerCreate, ServerUpdate } from '../../api/servers.ts';
import type { RegionContext } from '../../context.ts';
import { Network, Server } from '../../kinds/index.ts';
import { labelOf, placementOf } from '../../placement.ts';
import { asked } from '../../regions/index.ts';
import { checkFirstBoot, isOtherData } from '../../userdata/index.ts';
import { endpoints } from '../endpoints.ts';
import { allowsOn, metadataInNetwork, openNetworkFor, storedTags } from '../project-resources.ts';
import {
  checkAuthority,
  checkFit,
  checkImmutable,
  checkPinned,
  checkPrivateAddress,
  checkSecurityGroups,
  checkSourceAddresses,
  checkSshInjection,
  offeredFlavor,
  readyImage,
  type CreateSpec,
  type UpdateSpec,
} from './validation.ts';

type Providers = Pick<RegionContext, 'providers'>;
type Body<Schema extends typeof ServerCreate | typeof ServerUpdate> = DeepReadonly<Static<Schema>>;
type Writing = Pick<Request, 'acl' | 'caller' | 'runtime'>;

/**
 * Checks the request in the order of the contract, and stores the server. A duplicate name leads to the same id, which
 * the store refuses.
 */
export async function createServer(
  context: Providers,
  request: Writing,
  { metadata: naming, spec }: Body<typeof ServerCreate>,
): Promise<Server> {
  const { acl, caller, runtime } = request;
  const network = await openNetworkFor(request, spec.networkId);
  demand(allowsOn(acl, endpoints.servers, 'create', network.metadata), endpoints.servers, 'create');
  const scope = placementOf(network.metadata);
  checkSshInjection(spec);
  checkFirstBoot(spec.userData, spec.sshCertificateAuthorityId);
  await checkAuthority(request, spec.sshCertificateAuthorityId, scope);
  await checkSecurityGroups(request, spec.networking?.securityGroups, spec.networkId);
  await checkHardware(context, labelOf(network.metadata, labels.region), scope.organizationId, spec);
  checkSourceAddresses(spec);
  checkPrivateAddress(spec);
  await requireHeld(request, spec, { isPreliminary: true });
  const id = deterministicId(network.metadata.name, naming.name);
  const authority =
    spec.sshCertificateAuthorityId === undefined
      ? {}
      : { [labels.sshCertificateAuthority]: spec.sshCertificateAuthorityId };
  const metadata = metadataInNetwork(id, naming, network, caller, authority);
  const created = await stored(request, naming.name, {
    metadata,
    spec: { ...storedTags(naming.tags, caller), ...createdSpec(spec) },
  });
  try {
    await requireHeld(request, spec);
  } catch (refusal) {
    await runtime.store.delete(Server, id, { preconditions: { uid: created.metadata.uid } });
    throw refusal;
  }
  return created;
}

async function stored({ runtime }: Writing, name: string, draft: Draft<typeof Server>): Promise<Server> {
  try {
    return await runtime.store.create(Server, draft);
  } catch (error) {
    if (!isProblem(error, 'conflict')) throw error;
    throw new Problem(
      'conflict',
      `metadata.name: the network already has a server called ${name}, or one is still being deleted; choose another name`,
      { cause: error },
    );
  }
}

/**
 * Refuses a server for a resource that no longer uses the network. The request can be late: the process that sent it
 * was stopped, and another one has deleted the resource meanwhile. The deletion removes the reference first, and looks
 * for the server afterwards. Here the server is stored first, and the reference is read afterwards. So one of the two
 * always sees the other.
 */
async function requireHeld(
  { runtime: { store } }: Writing,
  { networkId, heldBy }: CreateSpec,
  options: { readonly isPreliminary?: boolean } = {},
): Promise<void> {
  if (heldBy !== undefined && !(await isHeld(store, Network, networkId, heldBy, options)))
    throw new Problem('conflict', `spec.heldBy: ${heldBy} has no reference to network ${networkId}`);
}

/** Replaces the fields that may change. A new image is only compared with the flavor if the flavor is still offered. */
export async function updateServer(
  context: Providers,
  request: Writing,
  server: Server,
  { metadata: naming, spec: wanted }: Body<typeof ServerUpdate>,
): Promise<Server> {
  const { caller, runtime } = request;
  const { metadata, spec } = server;
  checkImmutable(server, naming.name, wanted);
  await checkSecurityGroups(request, wanted.networking?.securityGroups, labelOf(metadata, labels.network));
  if (wanted.imageId !== spec.image.id) await checkNewImage(context, server, wanted);
  if (isOtherData(spec.userData, wanted.userData)) checkFirstBoot(wanted.userData, spec.sshCertificateAuthorityID);
  checkSourceAddresses(wanted);
  return runtime.store.update(Server, {
    metadata: modifiedMetadata(metadata, naming, authorOf(caller), runtime.world.now()),
    spec: {
      ...storedTags(naming.tags, caller),
      ...keptSpec(spec),
      ...writtenSpec(wanted, labelOf(metadata, labels.network), spec.networks[0]?.address),
    },
  });
}

/** The catalogue of the region of a network. */
async function offers({ providers }: Providers, regionId: string, organizationId: string) {
  return asked(async () => {
    const provider = await providers.cloudOf(regionId);
    const [images, flavors] = await Promise.all([
      provider.images.list({ availableTo: [organizationId] }),
      provider.flavors(),
    ]);
    return { images, flavors };
  });
}

async function checkHardware(
  context: Providers,
  regionId: string,
  organizationId: string,
  spec: CreateSpec,
): Promise<void> {
  const { images, flavors } = await offers(context, regionId, organizationId);
  const image = readyImage(images, spec.imageId);
  const flavor = offeredFlavor(flavors, spec.flavorId);
  checkFit(flavor, image);
  checkPinned(flavor, spec);
}

async function checkNewImage(
  context: Providers,
  { metadata }: Server,
  { imageId, flavorId }: UpdateSpec,
): Promise<void> {
  const { images, flavors } = await offers(
    context,
    labelOf(metadata, labels.region),
    placementOf(metadata).organizationId,
  );
  const image = readyImage(images, imageId);
  const flavor = flavors.find(({ id }) => id === flavorId);
  if (flavor) checkFit(flavor, image);
}

type Spec = SpecOf<typeof Server>;

function createdSpec(spec: CreateSpec): Spec {
  const { sshCertificateAuthorityId, sshInjection, infrastructureRef, privateIP } = spec;
  return {
    ...writtenSpec(spec, spec.networkId, privateIP),
    ...defined({ sshCertificateAuthorityID: sshCertificateAuthorityId, sshInjection, infrastructureRef }),
  };
}

/** The fields that every write replaces. Fields that are left out are cleared. */
function writtenSpec(
  { flavorId, imageId, networking = {}, userData }: UpdateSpec,
  networkId: string,
  address?: string,
): Spec {
  const { securityGroups, publicIP, allowedSourceAddresses } = networking;
  return {
    flavorID: flavorId,
    image: { id: imageId },
    networks: [
      {
        id: networkId,
        ...defined({ address }),
        ...(allowedSourceAddresses?.length
          ? { allowedAddressPairs: allowedSourceAddresses.map((cidr) => ({ cidr })) }
          : {}),
      },
    ],
    ...(securityGroups?.length ? { securityGroups: securityGroups.map((id) => ({ id })) } : {}),
    ...(publicIP === undefined ? {} : { publicIPAllocation: { enabled: publicIP } }),
    ...(userData ? { userData } : {}),
  };
}

/** The fields that updates through the API do not change. */
function keptSpec({ pause, volumes, sshCertificateAuthorityID, sshInjection, infrastructureRef }: Spec): Partial<Spec> {
  return {
    ...defined({ pause, volumes, sshCertificateAuthorityID, sshInjection, infrastructureRef }),
  };
}
