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

/** A change that nothing stands against but, perhaps, the quota. */
export interface PreparedUpdate {
  readonly spec: Spec;
  readonly price: Price;
}

/**
 * Refuses what cannot be; only what changes is looked at, so that what has been withdrawn meanwhile does not get in the
 * way of the rest.
 */
export async function prepareUpdate(
  { region }: Pick<ComputeContext, 'region'>,
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
  const asker: Naming = { region, on: asCaller(caller, scope), scope };
  const { regionId, networkId } = placeOf(metadata);
  const gpus = await checkHardware(asker, instance, regionId, spec);
  await checkSecurityGroups(asker, networkId, spec.networking?.securityGroupIDs, current.networking?.securityGroupIDs);
  await checkAccess(asker, current, spec);
  return { spec, price: { gpus, publicIP: wishOf(spec).publicIP } };
}

/** Where it is. A record that does not say so was damaged by somebody, and is left for those who can mend it. */
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
 * What is made anew must be there to be made of; a new disk only has to fit a flavor that is still offered. Says how
 * many GPUs it is charged for.
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

/**
 * Another authority has to be added to whatever user data there is; other user data has to be understood by the guest.
 */
async function checkAccess(
  asker: Naming,
  current: Spec,
  { sshCertificateAuthorityId: authority, userData }: Spec,
): Promise<void> {
  const isOtherAuthority = authority !== undefined && authority !== current.sshCertificateAuthorityId;
  if (isOtherAuthority || isOtherData(current.userData, userData)) checkFirstBoot(userData, authority);
  if (isOtherAuthority) await checkAuthority(asker, authority);
}

/** Writes a change down, and what the instance costs from then on. */
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
