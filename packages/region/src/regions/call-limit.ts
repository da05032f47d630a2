import { ensureTenure } from '@unikorn/core/tenure';
import type { Turns } from '@unikorn/core/turns';

import type {
  CloudProvider,
  Identities,
  IdentityReference,
  Images,
  InventoryProvider,
  ProjectReference,
  Provision,
  ResourceReference,
  Servers,
} from '../provider/index.ts';
import type { Offer } from './providers.ts';
import type { Silence } from './silence.ts';

/** A call that changes something is only made while the process still leads. */
type InTurn = <T>(principal: string, call: () => Promise<T>, effect?: 'changes') => Promise<T>;

/** For calls that belong to no principal. */
const platform = 'platform';

/**
 * A provider with a limit of concurrent calls. Further calls wait. A free place goes to the principal with the fewest
 * calls in progress, so that a principal with a thousand servers does not delay one with a single server. While the
 * cloud is silent, calls fail at once.
 *
 * @example withCallLimit(offer, new Turns(world, 32), new Silence(world));
 */
export function withCallLimit(offer: Offer, turns: Pick<Turns, 'take'>, silence: Silence): Offer {
  const inTurn: InTurn = async (principal, call, effect) => {
    silence.refuse();
    const end = await turns.take(principal);
    try {
      if (effect === 'changes') ensureTenure();
      return await silence.through(call);
    } finally {
      end();
    }
  };
  return offer.tier === 'cloud'
    ? { tier: 'cloud', provider: limitedCloud(offer.provider, inTurn) }
    : { tier: 'inventory', provider: limitedInventory(offer.provider, inTurn) };
}

function limitedInventory(provider: InventoryProvider, inTurn: InTurn): InventoryProvider {
  return {
    flavors: () => inTurn(platform, () => provider.flavors()),
    volumeClasses: () => inTurn(platform, () => provider.volumeClasses()),
  };
}

function limitedCloud(provider: CloudProvider, inTurn: InTurn): CloudProvider {
  return {
    ...limitedInventory(provider, inTurn),
    externalNetworks: () => inTurn(platform, () => provider.externalNetworks()),
    identities: limitedIdentities(provider.identities, inTurn),
    networks: limitedProvision(provider.networks, inTurn, ofIdentity),
    securityGroups: limitedProvision(provider.securityGroups, inTurn, ofIdentity),
    servers: limitedServers(provider.servers, inTurn),
    loadBalancers: limitedProvision(provider.loadBalancers, inTurn, ofIdentity),
    fileStorages: limitedProvision(provider.fileStorages, inTurn, ofProject),
    images: limitedImages(provider.images, inTurn),
  };
}

function ofIdentity({ id }: IdentityReference): string {
  return id;
}

function ofProject({ projectId }: ProjectReference): string {
  return projectId;
}

function limitedProvision<Reference extends ResourceReference, Wanted extends Reference, Observed, Scope>(
  provision: Provision<Reference, Wanted, Observed, Scope>,
  inTurn: InTurn,
  principalOf: (scope: Scope) => string,
): Provision<Reference, Wanted, Observed, Scope> {
  return {
    ensure: (scope, wanted) => inTurn(principalOf(scope), () => provision.ensure(scope, wanted), 'changes'),
    observe: (scope, reference) => inTurn(principalOf(scope), () => provision.observe(scope, reference)),
    list: (scope) => inTurn(principalOf(scope), () => provision.list(scope)),
    remove: (scope, reference) => inTurn(principalOf(scope), () => provision.remove(scope, reference), 'changes'),
  };
}

function limitedServers(servers: Servers, inTurn: InTurn): Servers {
  return {
    ...limitedProvision(servers, inTurn, ofIdentity),
    power: (identity, server, verb) => inTurn(identity.id, () => servers.power(identity, server, verb), 'changes'),
    rebuild: (identity, server, imageId) =>
      inTurn(identity.id, () => servers.rebuild(identity, server, imageId), 'changes'),
    consoleOutput: (identity, server, lines) =>
      inTurn(identity.id, () => servers.consoleOutput(identity, server, lines)),
    consoleSession: (identity, server) => inTurn(identity.id, () => servers.consoleSession(identity, server)),
    terminal: (identity, server, signal) => inTurn(identity.id, () => servers.terminal(identity, server, signal)),
    snapshot: (identity, server, image) =>
      inTurn(identity.id, () => servers.snapshot(identity, server, image), 'changes'),
  };
}

function limitedIdentities(identities: Identities, inTurn: InTurn): Identities {
  return {
    ensure: (identity) => inTurn(identity.id, () => identities.ensure(identity), 'changes'),
    observe: (identity) => inTurn(identity.id, () => identities.observe(identity)),
    remove: (identity) => inTurn(identity.id, () => identities.remove(identity), 'changes'),
    privateKey: (identity) => inTurn(identity.id, () => identities.privateKey(identity)),
  };
}

function limitedImages(images: Images, inTurn: InTurn): Images {
  return {
    list: (query) => inTurn(platform, () => images.list(query)),
    import: (image, uri) => inTurn(image.organizationId ?? platform, () => images.import(image, uri), 'changes'),
    remove: (id) => inTurn(platform, () => images.remove(id), 'changes'),
  };
}
