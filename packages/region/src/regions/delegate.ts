import type { CloudProvider, InventoryProvider, Servers } from '../provider/index.ts';

/*
 * A provider may be an instance of a class. Spreading one would lose its methods and getters, so each part is named
 * here and passed on to the provider. A part that is added to the interface and forgotten here does not compile.
 */

/** The same inventory, with some parts replaced. */
export function inventoryWith(provider: InventoryProvider, others: Partial<InventoryProvider>): InventoryProvider {
  return {
    flavors: () => provider.flavors(),
    volumeClasses: () => provider.volumeClasses(),
    ...others,
  };
}

/** The same cloud, with some parts replaced. */
export function cloudWith(provider: CloudProvider, others: Partial<CloudProvider>): CloudProvider {
  return {
    ...inventoryWith(provider, {}),
    externalNetworks: () => provider.externalNetworks(),
    identities: provider.identities,
    networks: provider.networks,
    securityGroups: provider.securityGroups,
    servers: provider.servers,
    loadBalancers: provider.loadBalancers,
    fileStorages: provider.fileStorages,
    images: provider.images,
    ...others,
  };
}

/** The same servers, with some methods replaced. */
export function serversWith(servers: Servers, others: Partial<Servers>): Servers {
  return {
    ensure: (identity, wanted) => servers.ensure(identity, wanted),
    observe: (identity, server) => servers.observe(identity, server),
    list: (identity) => servers.list(identity),
    remove: (identity, server) => servers.remove(identity, server),
    power: (identity, server, verb) => servers.power(identity, server, verb),
    rebuild: (identity, server, imageId) => servers.rebuild(identity, server, imageId),
    consoleOutput: (identity, server, lines) => servers.consoleOutput(identity, server, lines),
    consoleSession: (identity, server) => servers.consoleSession(identity, server),
    terminal: (identity, server, signal) => servers.terminal(identity, server, signal),
    snapshot: (identity, server, image) => servers.snapshot(identity, server, image),
    ...others,
  };
}
