import { defined } from '../defined.ts';
import { isProblem, Problem } from '../errors/index.ts';
import type { Kind, Metadata, WritableMetadata } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { deterministicId, labels, parseReference } from '../resource/index.ts';
import { getKnown, type Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { requireOpen } from './closing.ts';
import { ReferenceRecord, referenceLabels } from './kind.ts';

export interface HoldDeps {
  readonly store: Store;
  readonly world: World;
}

/** The used object: its id and its labels. */
export type Used = Pick<Metadata, 'name' | 'labels'>;

/** The user of an object. */
export interface Holder {
  /** `<plural>.<group>/<id>` */
  readonly reference: string;
  readonly name?: string | undefined;
  readonly protects?: boolean | undefined;
  /**
   * The saga run that holds the reference, so that it only releases its own claims. A reference stays while it has a
   * claim. A reference without claims stays until it is removed.
   */
  readonly claim?: string | undefined;
}

const claimsAnnotation = 'references.unikorn-cloud.org/claims';
const namespace = '5f0e5b6c-9d0f-5f6a-8b52-3a5a7a1f0c55';

/** The name of the reference record for this user and this object. It is derived from both. */
export function referenceNameOf(kind: Kind, usedId: string, reference: string): string {
  return deterministicId(namespace, `${kind.id}/${usedId} ${reference}`);
}

/**
 * Adds a reference, which keeps an object for as long as `holder` uses it. Add it before use. The reference is stored
 * first, and the object is read afterwards. A deletion closes the object first, and looks for references afterwards. So
 * one of the two always sees the other. Throws `not_found`, `invalid_request` (the object is being deleted) or
 * `conflict` (it is about to be deleted).
 *
 * `above` names other objects that must not be closed either: the object is deleted with them.
 *
 * @example await addReference({ store, world }, Network, network.metadata, { reference: referenceOf(Server, serverId) });
 */
export async function addReference(
  deps: HoldDeps,
  kind: Kind,
  used: Used,
  holder: Holder,
  above: readonly { readonly kind: Kind; readonly name: string }[] = [],
): Promise<void> {
  const { store } = deps;
  const made = await recordReference(store, kind, used, holder);
  try {
    for (const one of [{ kind, name: used.name }, ...above]) await requireOpen(deps, one.kind, one.name);
  } catch (refusal) {
    if (made) await takeBack(store, made, holder.claim);
    throw refusal;
  }
}

/**
 * Whether the reference exists. It reads the store and not a copy, unless the result is checked again later.
 *
 * @example if (!(await isHeld(store, Network, networkId, instance))) throw new Problem('conflict', 'the instance is deleted');
 */
export async function isHeld(
  store: Store,
  kind: Kind,
  usedId: string,
  reference: string,
  { isPreliminary = false }: { readonly isPreliminary?: boolean } = {},
): Promise<boolean> {
  const name = referenceNameOf(kind, usedId, reference);
  const found = isPreliminary ? getKnown(store, ReferenceRecord, name) : store.get(ReferenceRecord, name);
  return (await found) !== undefined;
}

/**
 * Removes a reference. With a claim, only that claim is removed; the last claim removes the reference.
 *
 * @example await removeReference(store, Network, networkId, referenceOf(Server, serverId));
 */
export async function removeReference(
  store: Store,
  kind: Kind,
  usedId: string,
  reference: string,
  claim?: string,
): Promise<void> {
  const name = referenceNameOf(kind, usedId, reference);
  if (claim === undefined) await store.delete(ReferenceRecord, name);
  else await dropClaim(store, name, claim);
}

/**
 * Stores a reference without checking the used object. Returns it if this call created it. An existing reference is
 * updated.
 *
 * @example await recordReference(store, Network, network.metadata, { reference: referenceOf(ComputeInstance, id) });
 */
export async function recordReference(
  store: Store,
  kind: Kind,
  used: Used,
  holder: Holder,
): Promise<ReferenceRecord | undefined> {
  const name = referenceNameOf(kind, used.name, holder.reference);
  const draft = {
    metadata: { name, labels: labelsOf(used, holder), ...claimed(holder.claim === undefined ? [] : [holder.claim]) },
    spec: specOf(kind, used, holder),
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.create(ReferenceRecord, draft);
    } catch (error) {
      if (!isProblem(error, 'conflict') || attempt === internalLimits.holdAttempts) throw error;
    }
    const current = await store.get(ReferenceRecord, name);
    if (current && (await bringUpToDate(store, current, kind, used, holder))) return undefined;
  }
}

/** Updates an existing reference. Returns false if another writer changed it meanwhile. */
async function bringUpToDate(
  store: Store,
  current: ReferenceRecord,
  kind: Kind,
  used: Used,
  holder: Holder,
): Promise<boolean> {
  const change = {
    metadata: {
      ...current.metadata,
      labels: labelsOf(used, holder),
      ...claimed(joined(claimsOf(current), holder.claim)),
    },
    spec: specOf(kind, used, holder),
  };
  try {
    await store.update(ReferenceRecord, change);
    return true;
  } catch (error) {
    if (isProblem(error, 'conflict') || isProblem(error, 'not_found')) return false;
    throw error;
  }
}

/** A reference without a claim is permanent, whatever claims it had before. A permanent reference gets no claims. */
function joined(claims: readonly string[], claim: string | undefined): readonly string[] {
  if (claim === undefined || claims.length === 0) return [];
  return claims.includes(claim) ? claims : [...claims, claim].slice(-internalLimits.claimsKept);
}

async function takeBack(
  store: Store,
  { metadata: { name, uid, resourceVersion } }: ReferenceRecord,
  claim: string | undefined,
): Promise<void> {
  if (claim !== undefined) return dropClaim(store, name, claim);
  try {
    await store.delete(ReferenceRecord, name, { preconditions: { uid, resourceVersion } });
  } catch (error) {
    // Another run has added its own claim.
    if (!isProblem(error, 'conflict')) throw error;
  }
}

async function dropClaim(store: Store, name: string, claim: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    // The change is a compare-and-swap. The copy is not trusted when it says that there is nothing to do.
    const copied = attempt === 1 ? await store.get(ReferenceRecord, name, { cached: true }) : undefined;
    const current = copied && claimsOf(copied).includes(claim) ? copied : await store.get(ReferenceRecord, name);
    const claims = current ? claimsOf(current) : [];
    if (!current || !claims.includes(claim)) return;
    const left = claims.filter((other) => other !== claim);
    const { metadata } = current;
    try {
      if (left.length > 0)
        await store.update(ReferenceRecord, { metadata: { ...metadata, ...claimed(left) }, spec: current.spec });
      else
        await store.delete(ReferenceRecord, name, {
          preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
        });
      return;
    } catch (error) {
      if (isProblem(error, 'not_found')) return;
      if (!isProblem(error, 'conflict') || attempt === internalLimits.holdAttempts) throw error;
    }
  }
}

/** The saga runs that hold it; empty if it is permanent. */
export function claimsOf({ metadata }: ReferenceRecord): readonly string[] {
  return metadata.annotations?.[claimsAnnotation]?.split(',') ?? [];
}

function claimed(claims: readonly string[]): Pick<WritableMetadata, 'annotations'> {
  return { annotations: claims.length === 0 ? {} : { [claimsAnnotation]: claims.join(',') } };
}

function specOf(kind: Kind, { name: id }: Used, { reference, name, protects }: Holder): ReferenceRecord['spec'] {
  return {
    used: { kind: kind.id, id },
    reference,
    ...defined({ name }),
    ...(protects ? { protects } : {}),
  };
}

function labelsOf(
  { name, labels: carried = {} }: Used,
  { reference, protects }: Holder,
): Readonly<Record<string, string>> {
  const { [labels.organization]: organization, [labels.project]: project } = carried;
  if (protects && organization === undefined)
    throw new Problem(
      'invalid_request',
      `${name} does not belong to an organization, so its contents cannot be protected`,
    );
  return {
    [referenceLabels.used]: name,
    [referenceLabels.user]: parseReference(reference).id,
    ...defined({ [labels.organization]: organization, [labels.project]: project }),
    ...(protects && organization !== undefined ? { [referenceLabels.protectsIn]: organization } : {}),
  };
}
