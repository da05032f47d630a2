import { limits } from '../limits.ts';
import {
  isProviderFailure,
  type CloudChange,
  type CloudProvider,
  type Provision,
  type ResourceReference,
} from '../provider/index.ts';
import { cloudWith, serversWith } from './delegate.ts';
import type { Offer } from './providers.ts';

/** The resources whose calls are told of. */
export type ToldSort = 'networks' | 'securityGroups' | 'servers' | 'loadBalancers' | 'fileStorages';

export interface ToldCall {
  readonly sort: ToldSort;
  readonly id: string;
  /** Such as `provision` or `rebuild`. */
  readonly action: string;
  readonly outcome: 'done' | 'failed';
  readonly message: string;
  /** The number of the call in the logs of the cloud. */
  readonly requestId: string;
}

export type CallListener = (call: ToldCall) => void;

/**
 * A provider that tells of the changes that its cloud made for a resource, and of each one that it refused, if the
 * cloud has numbered the call.
 */
export function withCallsTold(offer: Offer, tell: CallListener): Offer {
  if (offer.tier === 'inventory') return offer;
  return { ...offer, provider: telling(offer, tell) };
}

type Told = <T>(sort: ToldSort, action: string, id: string, call: () => Promise<T>) => Promise<T>;

function telling(
  { provider, noting = (_note, work) => work() }: Extract<Offer, { readonly tier: 'cloud' }>,
  tell: CallListener,
): CloudProvider {
  const { networks, securityGroups, servers, loadBalancers, fileStorages } = provider;
  const told: Told = async (sort, action, id, call) => {
    let left = limits.toldChanges;
    const note = ({ doing, requestId }: CloudChange) => {
      if (left-- > 0) tell({ sort, id, action, outcome: 'done', message: doing, requestId });
    };
    try {
      return await noting(note, call);
    } catch (error) {
      const requestId = isProviderFailure(error) ? error.requestId : undefined;
      if (isProviderFailure(error) && requestId !== undefined)
        tell({ sort, id, action, outcome: 'failed', message: error.message, requestId });
      throw error;
    }
  };
  const base = toldProvision(servers, 'servers', told);
  return cloudWith(provider, {
    networks: toldProvision(networks, 'networks', told),
    securityGroups: toldProvision(securityGroups, 'securityGroups', told),
    loadBalancers: toldProvision(loadBalancers, 'loadBalancers', told),
    fileStorages: toldProvision(fileStorages, 'fileStorages', told),
    servers: serversWith(servers, {
      ...base,
      power: (identity, server, verb) => told('servers', verb, server.id, () => servers.power(identity, server, verb)),
      rebuild: (identity, server, imageId) =>
        told('servers', 'rebuild', server.id, () => servers.rebuild(identity, server, imageId)),
      snapshot: (identity, server, image) =>
        told('servers', 'snapshot', server.id, () => servers.snapshot(identity, server, image)),
    }),
  });
}

function toldProvision<Reference extends ResourceReference, Wanted extends Reference, Observed, Scope>(
  provision: Provision<Reference, Wanted, Observed, Scope>,
  sort: ToldSort,
  told: Told,
): Provision<Reference, Wanted, Observed, Scope> {
  return {
    ensure: (scope, wanted) => told(sort, 'provision', wanted.id, () => provision.ensure(scope, wanted)),
    observe: (scope, reference) => provision.observe(scope, reference),
    list: (scope) => provision.list(scope),
    remove: (scope, reference) => told(sort, 'deprovision', reference.id, () => provision.remove(scope, reference)),
  };
}
