import { authorOf, enrichPrincipal } from '@unikorn/core/access';
import { isProblem, Problem } from '@unikorn/core/errors';
import { madeBefore, sagaIdFor, storedTags, type Request } from '@unikorn/core/http';
import { deterministicId, labels, newMetadata } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { demandCreation } from '@unikorn/identity/client';
import { checkFirstBoot } from '@unikorn/region/client';

import type { ComputeContext } from '../../context.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { asCaller } from '../../on-behalf.ts';
import { wishOf } from '../../plan/index.ts';
import type { WriteInstance } from '../../sagas/index.ts';
import { endpoints } from '../endpoints.ts';
import { checkFit, gpusOf, offeredFlavor, readyImage } from './hardware.ts';
import { checkAuthority, checkSecurityGroups, networkFor, offersOf, type Naming } from './references.ts';
import type { FindNamesake } from './namesake.ts';
import { storedSpec, type CreateBody } from './spec.ts';

export type Writing = Pick<ComputeContext, 'identityClient' | 'regionClient'> & {
  readonly writeInstance: WriteInstance;
};
export type Creating = Writing & { readonly namesake: FindNamesake };
export type Asking = Pick<Request, 'acl' | 'caller' | 'runtime'>;
type Making = Asking & Pick<Request, 'newId' | 'isRepeated'>;

/**
 * Checks a request in the order of the contract, and writes the instance. The network determines the scope of the other
 * checks.
 */
export async function createInstance(
  { identityClient, regionClient, namesake, writeInstance }: Creating,
  request: Making,
  { metadata: naming, spec: wanted }: CreateBody,
): Promise<ComputeInstance> {
  const {
    caller,
    runtime: { store },
  } = request;
  const { networkId, organizationId, projectId } = wanted;
  const scope = { organizationId, projectId };
  const tags = storedTags(naming.tags, caller);
  await demandCreation(request, identityClient, endpoints.instances, scope);
  const id = deterministicId(networkId, naming.name);
  const made = await madeBefore(request, ComputeInstance, id);
  if (made) return made;
  const asker: Naming = { regionClient, on: asCaller(caller, scope), scope };
  const {
    status: { regionId },
  } = await networkFor(asker, networkId);
  const gpus = await checkParts(asker, { networkId, regionId }, wanted);

  const spec = storedSpec({ metadata: tags, spec: wanted });
  const extra = { labels: { [labels.region]: regionId, [labels.network]: networkId } };
  const { labels: carried = {}, annotations = {} } = newMetadata(id, naming, scope, authorOf(caller, scope), extra);
  const price = { gpus, publicIP: wishOf(spec).publicIP };
  const { put: instance } = await whileFree({ store, namesake }, { id, networkId, name: naming.name }, () =>
    writeInstance(
      {
        id,
        principal: enrichPrincipal(caller.principal, scope),
        scope,
        after: { labels: carried, annotations, spec },
        price,
      },
      sagaIdFor(request),
    ),
  );
  return instance;
}

/** Refuses invalid combinations, and returns the number of GPUs. */
async function checkParts(
  asker: Naming,
  { networkId, regionId }: { readonly networkId: string; readonly regionId: string },
  wanted: CreateBody['spec'],
): Promise<number> {
  const { flavors, images } = await offersOf(asker, regionId);
  const flavor = offeredFlavor(flavors, wanted.flavorId);
  checkFit(flavor, readyImage(images, wanted.imageId));
  await checkSecurityGroups(asker, networkId, wanted.networking?.securityGroups);
  checkFirstBoot(wanted.userData, wanted.sshCertificateAuthorityId);
  if (wanted.sshCertificateAuthorityId !== undefined) await checkAuthority(asker, wanted.sshCertificateAuthorityId);
  return gpusOf(flavor);
}

/** The scope in which references are looked up. */
interface Names {
  readonly store: Store;
  readonly namesake: FindNamesake;
}

/** The names that must be unique in a network. */
interface Place {
  readonly id: string;
  readonly networkId: string;
  readonly name: string;
}

/**
 * A name that is in use is reported before any other refusal: nothing is charged, and a higher quota would not help.
 */
async function whileFree<Written>(names: Names, place: Place, write: () => Promise<Written>): Promise<Written> {
  await refuseTaken(names, place);
  try {
    return await write();
  } catch (error) {
    // Another request took the name first, or the quota is used up.
    if (isProblem(error, 'conflict') || isProblem(error, 'forbidden')) await refuseTaken(names, place, error);
    throw error;
  }
}

async function refuseTaken({ store, namesake }: Names, { id, networkId, name }: Place, cause?: unknown): Promise<void> {
  // Before the write, the copy in this process is enough: if it misses an instance, the write is refused.
  const taken =
    (await store.get(ComputeInstance, id, { cached: cause === undefined })) ?? (await namesake(networkId, name));
  if (!taken) return;
  const which =
    taken.metadata.deletionTimestamp === undefined
      ? `an instance called ${name}`
      : `an instance called ${name} that is still being deleted`;
  throw new Problem('conflict', `metadata.name: the network has ${which}; choose another name`, { cause });
}
