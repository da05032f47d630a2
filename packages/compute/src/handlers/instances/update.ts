import { authorOf } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { storedTags } from '@unikorn/core/http';
import { labels, modifiedMetadata } from '@unikorn/core/resource';
import { seenState } from '@unikorn/core/saga';
import { placementOf, principalOf } from '@unikorn/identity/client';
import { checkFirstBoot, isOtherData } from '@unikorn/region/client';

import type { ComputeContext } from '../../context.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import { asCaller } from '../../on-behalf.ts';
import { changesBetween, disruptionOf, wishOf } from '../../plan/index.ts';
import { storedPrice, type Price, type WriteInstance } from '../../sagas/index.ts';
import type { Asking } from './create.ts';
import { checkFit, gpusOf, offeredFlavor, readyImage } from './hardware.ts';
import { checkAuthority, checkSecurityGroups, offersOf, unprocessable, type Naming } from './references.ts';
import { keptSpec, storedSpec, type Spec, type UpdateBody } from './spec.ts';

/** A checked update. Only the quota can still refuse it. */
export interface PreparedUpdate {
  readonly spec: Spec;
  readonly price: Price;
}

/**
 * Checks an update. Only changed fields are checked, so that a flavor or image that was withdrawn does not block other
 * changes.
 */
export async function prepareUpdate(
  { regionClient }: Pick<ComputeContext, 'regionClient'>,
  { caller }: Pick<Asking, 'caller'>,
  instance: ComputeInstance,
  { metadata: naming, spec: wanted }: UpdateBody,
): Promise<PreparedUpdate> {
  const { metadata, spec: current } = instance;
  if (metadata.labels?.[labels.name] !== naming.name) throw unprocessable('metadata.name: cannot be changed');
  const spec: Spec = {
    ...keptSpec(current),
    ...storedSpec({ metadata: storedTags(naming.tags, caller), spec: wanted }),
  };
  const scope = placementOf(metadata);
  const asker: Naming = { regionClient, on: asCaller(caller, scope), scope };
  const { regionId, networkId } = placeOf(metadata);
  const gpus = await checkHardware(asker, instance, regionId, spec);
  await checkSecurityGroups(asker, networkId, spec.networking?.securityGroupIDs, current.networking?.securityGroupIDs);
  await checkAccess(asker, current, spec);
  return { spec, price: { gpus, publicIP: wishOf(spec).publicIP } };
}

/** The scope of the instance. A record without these labels is damaged, and an operator must repair it. */
function placeOf({ name, labels: carried = {} }: ComputeInstance['metadata']): {
  readonly regionId: string;
  readonly networkId: string;
} {
  const { [labels.region]: regionId, [labels.network]: networkId } = carried;
  if (regionId === undefined || networkId === undefined)
    throw new Problem(
      'conflict',
      `the record of instance ${name} is damaged: its organization, project, region or network is missing. Ask the platform operator`,
    );
  return { regionId, networkId };
}

/**
 * A replacement needs an image that is ready, and for a new machine a flavor that is offered. A new disk must fit the
 * flavor if it is still listed. Returns the number of GPUs to charge.
 */
async function checkHardware(asker: Naming, instance: ComputeInstance, regionId: string, spec: Spec): Promise<number> {
  const { gpus } = storedPrice(instance);
  const disruption = disruptionOf(changesBetween(wishOf(instance.spec), wishOf(spec)));
  if (disruption !== 'rebuild' && disruption !== 'recreate') return gpus;
  const { flavors, images } = await offersOf(asker, regionId);
  const flavor =
    disruption === 'recreate'
      ? offeredFlavor(flavors, spec.flavorId)
      : flavors.find(({ metadata }) => metadata.id === spec.flavorId);
  const image = readyImage(images, spec.imageId);
  if (flavor) checkFit(flavor, image);
  return flavor ? gpusOf(flavor) : gpus;
}

/** A new authority must be compatible with the user data, and new user data must be valid for the guest. */
async function checkAccess(
  asker: Naming,
  current: Spec,
  { sshCertificateAuthorityId: authority, userData }: Spec,
): Promise<void> {
  const isOtherAuthority = authority !== undefined && authority !== current.sshCertificateAuthorityId;
  if (isOtherAuthority || isOtherData(current.userData, userData)) checkFirstBoot(userData, authority);
  if (isOtherAuthority) await checkAuthority(asker, authority);
}

/** Writes the change together with its new cost. */
export async function writeUpdate(
  { writeInstance }: { readonly writeInstance: WriteInstance },
  { caller, runtime: { world } }: Asking,
  instance: ComputeInstance,
  { metadata: naming }: UpdateBody,
  { spec, price }: PreparedUpdate,
): Promise<ComputeInstance> {
  const { metadata } = instance;
  const { labels: carried = {}, annotations = {} } = modifiedMetadata(metadata, naming, authorOf(caller), world.now());
  const charged = { principal: principalOf(metadata), scope: placementOf(metadata) };
  const { put: changed } = await writeInstance({
    id: metadata.name,
    ...charged,
    before: seenState(instance),
    after: { labels: carried, annotations, spec },
    price,
  });
  return changed;
}
