import type { World } from '@unikorn/core/world';

import { waits } from '../limits.ts';
import { absent, type CloudProvider, type Provision, type Removed, type ResourceReference } from '../provider/index.ts';
import { cloudWith, serversWith } from './delegate.ts';

/** Tells which removals are certain. */
type Confirm = (resource: string, removal: () => Promise<Removed>) => Promise<Removed>;

/**
 * A cloud whose lists may be older than its last change: a list may not show a thing that is there. So a resource
 * counts as removed when two removals found nothing more to do, with some time between them. Until then its record is
 * kept. After a restart of the process, two more are needed.
 *
 * @example const provider = withConfirmedRemovals(openstackProvider(region), world);
 */
export function withConfirmedRemovals(provider: CloudProvider, world: World): CloudProvider {
  const confirm = confirmer(world);
  const { identities, networks, securityGroups, servers, loadBalancers } = provider;
  return cloudWith(provider, {
    identities: {
      ensure: (identity) => identities.ensure(identity),
      observe: (identity) => identities.observe(identity),
      remove: (identity) => confirm(`identity ${identity.id}`, () => identities.remove(identity)),
      privateKey: (identity) => identities.privateKey(identity),
    },
    networks: confirmedProvision('network', networks, confirm),
    securityGroups: confirmedProvision('security group', securityGroups, confirm),
    loadBalancers: confirmedProvision('load balancer', loadBalancers, confirm),
    servers: serversWith(servers, confirmedProvision('server', servers, confirm)),
  });
}

function confirmedProvision<Reference extends ResourceReference, Wanted extends Reference, Observed, Scope>(
  sort: string,
  provision: Provision<Reference, Wanted, Observed, Scope>,
  confirm: Confirm,
): Provision<Reference, Wanted, Observed, Scope> {
  return {
    ensure: (scope, wanted) => provision.ensure(scope, wanted),
    observe: (scope, reference) => provision.observe(scope, reference),
    list: (scope) => provision.list(scope),
    remove: (scope, reference) => confirm(`${sort} ${reference.id}`, () => provision.remove(scope, reference)),
  };
}

function confirmer(world: World): Confirm {
  /** When each resource was found absent for the first time, the earliest first. */
  const absentSince = new Map<string, number>();
  const forgetOld = (now_ms: number) => {
    for (const [resource, since_ms] of absentSince) {
      if (now_ms - since_ms < waits.unconfirmedRemoval_ms) return;
      absentSince.delete(resource);
    }
  };
  return async (resource, removal) => {
    const removed = await removal();
    const now_ms = world.monotonic_ms();
    forgetOld(now_ms);
    const since_ms = absentSince.get(resource);
    if (removed.state === 'pending') absentSince.delete(resource);
    else if (since_ms === undefined) absentSince.set(resource, now_ms);
    if (removed.state === 'pending') return removed;
    if (since_ms === undefined || now_ms - since_ms < waits.confirmRemoval_ms)
      return { state: 'pending', reason: 'the cloud is asked once more whether everything is removed' };
    absentSince.delete(resource);
    return absent;
  };
}
