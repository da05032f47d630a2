import type { Principal } from '@unikorn/core/access';
import { isProblem } from '@unikorn/core/errors';
import type { Holder } from '@unikorn/core/references';
import { referenceOf } from '@unikorn/core/resource';
import { Saga } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import { placementOf, principalOf, type IdentityClient, type ProjectScope } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import { ComputeInstance } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { heldBy, type HeldReference } from './held.ts';
import { holdsOf, isProtected, isSame, userNameOf, type Hold, type Holding, type Used } from './wanted.ts';

export interface HoldsDeps {
  readonly store: Store;
  readonly identityClient: Pick<IdentityClient, 'addProjectReference' | 'removeProjectReference' | 'projectReferences'>;
  readonly regionClient: Pick<RegionClient, 'hold' | 'letGo' | 'references'>;
}

/** The instance that uses a resource, its principal and its scope. */
export interface About {
  readonly id: string;
  readonly principal: Principal;
  readonly scope: ProjectScope;
}

/** The claim on a reference of the instance itself, and not of a saga. */
export const settledClaim = 'settled';

export async function hold(
  { identityClient, regionClient }: HoldsDeps,
  { id, principal, scope }: About,
  { used, protects }: Hold,
  name: string,
  claim: string,
): Promise<void> {
  const holder = { reference: referenceOf(ComputeInstance, id), name, claim, ...(protects ? { protects } : {}) };
  if (used.what === 'project') await identityClient.addProjectReference(principal, scope, holder);
  else await regionClient.hold({ principal, impersonate: false }, used, holder);
}

export async function letGo(
  { identityClient, regionClient }: HoldsDeps,
  { id, principal, scope }: About,
  used: Used,
  claim?: string,
): Promise<void> {
  const reference = referenceOf(ComputeInstance, id);
  if (used.what === 'project') await identityClient.removeProjectReference(principal, scope, reference, claim);
  else await regionClient.letGo({ principal, impersonate: false }, used, reference, claim);
}

/** Holds all of them concurrently, so that they share a commit. Waits for all of them before it throws. */
export async function holdAll(
  deps: HoldsDeps,
  about: About,
  holds: readonly Hold[],
  name: string,
  claim: string,
): Promise<void> {
  await allOf(holds.map((one) => hold(deps, about, one, name, claim)));
}

export async function letGoAll(deps: HoldsDeps, about: About, holds: readonly Hold[], claim: string): Promise<void> {
  await allOf(holds.map(({ used }) => letGo(deps, about, used, claim)));
}

async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

export function holdingOf({ metadata, spec }: Pick<ComputeInstance, 'metadata' | 'spec'>): Holding {
  return { labels: metadata.labels ?? {}, spec };
}

/**
 * The references of an instance while no change of it is in progress.
 *
 * @example for (const { used, holder } of referencesOf(instance)) await recordReference(store, kinds[used.what], { name: used.id, labels }, holder);
 */
export function referencesOf(
  instance: Pick<ComputeInstance, 'metadata' | 'spec'>,
): readonly { readonly used: Used; readonly holder: Holder }[] {
  const holding = holdingOf(instance);
  const reference = referenceOf(ComputeInstance, instance.metadata.name);
  return holdsOf(holding).map(({ used, protects }) => ({
    used,
    holder: { reference, name: userNameOf(holding), protects, claim: settledClaim },
  }));
}

export function aboutOf({ metadata }: Pick<ComputeInstance, 'metadata'>): About {
  return { id: metadata.name, principal: principalOf(metadata), scope: placementOf(metadata) };
}

/** Removes the references of an instance that it no longer needs, except those that running sagas have claimed. */
export async function release(deps: HoldsDeps, about: About, wanted: readonly Hold[]): Promise<void> {
  const unwanted = (await held(deps, about)).filter(({ used }) => !wanted.some((one) => isSame(one.used, used)));
  await allOf(unwanted.map((reference) => releaseOne(deps, about, reference)));
}

async function held(deps: HoldsDeps, { id }: About): Promise<readonly HeldReference[]> {
  const found: HeldReference[] = [];
  for await (const reference of heldBy(deps, referenceOf(ComputeInstance, id))) {
    found.push(reference);
    if (found.length === limits.heldReferences) break;
  }
  return found;
}

/**
 * A claim is valid as long as its saga runs. The claims are removed one after another, because the last one also
 * removes the reference.
 */
async function releaseOne(
  deps: HoldsDeps,
  about: About,
  { used, claims }: Pick<HeldReference, 'used' | 'claims'>,
): Promise<void> {
  if (claims.length === 0) await letGo(deps, about, used);
  for (const claim of claims) if (!(await deps.store.get(Saga, claim))) await letGo(deps, about, used, claim);
}

/**
 * Makes the protection of references match the stored instance. The instance is read again afterwards, so that with
 * concurrent changes the last one wins.
 */
export async function settleProtection(deps: HoldsDeps, about: About): Promise<void> {
  for (;;) {
    const stored = await deps.store.get(ComputeInstance, about.id);
    if (!stored || stored.metadata.deletionTimestamp !== undefined) return;
    const holding = holdingOf(stored);
    await unlessGoing(
      holdAll(
        deps,
        about,
        holdsOf(holding).filter(({ used }) => used.what === 'network' || used.what === 'project'),
        userNameOf(holding),
        settledClaim,
      ),
    );
    if (!isProtected(holding)) await releaseProject(deps, about);
    const now = await deps.store.get(ComputeInstance, about.id);
    if (now?.metadata.generation === stored.metadata.generation || !now) return;
  }
}

/**
 * Makes the references match the stored instance. If it exists, missing references are added, and unneeded ones are
 * removed once it is settled. If it does not exist, all are removed. If it is being deleted, its controller removes
 * them.
 */
export async function settleHolds(
  deps: HoldsDeps,
  about: About,
  isSettled: (instance: ComputeInstance) => boolean,
): Promise<void> {
  const stored = await deps.store.get(ComputeInstance, about.id);
  if (stored?.metadata.deletionTimestamp !== undefined) return;
  if (!stored) return release(deps, about, []);
  const holding = holdingOf(stored);
  const wanted = holdsOf(holding);
  await unlessGoing(holdAll(deps, about, wanted, userNameOf(holding), settledClaim));
  if (isSettled(stored)) await release(deps, about, wanted);
}

async function releaseProject(deps: HoldsDeps, about: About): Promise<void> {
  const user = referenceOf(ComputeInstance, about.id);
  for await (const { projectId: id, claims } of deps.identityClient.projectReferences(about.principal, { user }))
    if (id === about.scope.projectId) await releaseOne(deps, about, { used: { what: 'project', id }, claims });
}

/** An object that is being deleted also deletes its instances, so no reference is needed. */
async function unlessGoing(holding: Promise<void>): Promise<void> {
  try {
    await holding;
  } catch (error) {
    if (!isProblem(error, 'not_found') && !isProblem(error, 'invalid_request')) throw error;
  }
}

/** The instance of a reference, with the principal and scope that the reference names. */
export function aboutReference({ instanceId, scope }: HeldReference): About {
  return { id: instanceId, principal: { ...scope }, scope };
}
