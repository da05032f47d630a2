import { httpCalls, httpChannel, localCalls, type ServiceCalls } from '@unikorn/core/calls';
import { describeCarriers, everyOne, taking } from '@unikorn/core/testing/carriers';
import { absentId, certificateHeaders } from '@unikorn/identity/testing';

import { images, startServers } from '../handlers/servers/servers.fixture.ts';
import { Network, Server } from '../kinds/index.ts';
import { regionClient, type RegionClient } from './index.ts';

/** Region with a network that is ready, a security group and a certificate authority. */
async function furnished() {
  const scene = await startServers();
  const { store, organizationId, projectId, networkId, token } = scene;
  await scene.eventually(
    () => scene.call('GET', `/api/v2/networks/${networkId}`, { token }),
    ({ body }) => JSON.stringify(body).includes('"provisioned"'),
  );
  const principal = { actor: 'jane@example.com', type: 'user', organizationId, projectId };
  return {
    ...scene,
    groupId: await scene.securityGroup(),
    authorityId: await scene.authority(),
    on: { principal, impersonate: false },
    asJane: { principal, impersonate: true },
    /** The first server that was made. */
    serverId: async () => (await store.list(Server)).items[0]?.metadata.name ?? '',
  };
}

type Stage = Awaited<ReturnType<typeof furnished>>;

const reference = `instances.compute.unikorn-cloud.org/${absentId}`;
const named = (name: string) => ({ metadata: { name } });

/** Positions name a moment of the store, and the carriers do not write the same number of objects. */
function withoutPosition(events: readonly object[]): readonly object[] {
  return events.map((event) => ({ ...event, position: undefined }));
}

describeCarriers<RegionClient, Stage>('region', {
  open: async (carrier) => {
    const stage = await furnished();
    const { server, store, world, telemetry, region } = stage;
    const address = await server.listen({ host: '127.0.0.1', port: 0 });
    const headers = certificateHeaders('unikorn-compute');
    const channel = httpChannel({ baseUrl: `${address}/region`, world, headers });
    const calls: ServiceCalls =
      carrier === 'over HTTP'
        ? httpCalls({ service: 'region', channel, world, telemetry })
        : localCalls({
            service: region.service,
            commonName: 'unikorn-compute',
            store,
            world,
            telemetry,
            instance: 'test',
          });
    const stop = async () => {
      await channel.close();
      await stage.stop();
    };
    return { client: regionClient(calls), stage, world, stop };
  },
  scripts: {
    regions: async (client, see, { on, asJane, organizationId }) => {
      await see(client.regions(on, organizationId));
      await see(client.regions(asJane, organizationId));
    },
    flavors: async (client, see, { on, organizationId, regionId }) => {
      await see(client.flavors(on, organizationId, regionId));
      await see(client.flavors(on, organizationId, absentId));
    },
    images: async (client, see, { on, organizationId, regionId }) => {
      await see(client.images(on, organizationId, regionId));
      await see(client.images(on, organizationId, absentId));
    },
    network: async (client, see, { on, asJane, networkId }) => {
      await see(client.network(on, networkId));
      await see(client.network(on, absentId));
      await see(client.network(asJane, networkId));
    },
    securityGroup: async (client, see, { on, groupId }) => {
      await see(client.securityGroup(on, groupId));
      await see(client.securityGroup(on, absentId));
    },
    sshCertificateAuthority: async (client, see, { on, authorityId }) => {
      await see(client.sshCertificateAuthority(on, authorityId));
      await see(client.sshCertificateAuthority(on, absentId));
    },
    hold: async (client, see, { on, networkId, groupId, authorityId }) => {
      await see(client.hold(on, { what: 'network', id: networkId }, { reference, name: 'instance web-1', claim: 'a' }));
      await see(client.hold(on, { what: 'securityGroup', id: groupId }, { reference }));
      await see(client.hold(on, { what: 'sshCertificateAuthority', id: authorityId }, { reference }));
      await see(client.hold(on, { what: 'network', id: absentId }, { reference }));
    },
    references: async (client, see, { on }) => {
      // Their order is that of random identifiers.
      const listed = async (query: Parameters<RegionClient['references']>[1]) =>
        (await everyOne(client.references(on, query))).toSorted((a, b) => a.used.what.localeCompare(b.used.what));
      await see(listed({ user: reference }));
      await see(listed({ userKind: 'instances.compute.unikorn-cloud.org' }));
      await see(listed({ userKind: 'servers.region.unikorn-cloud.org' }));
    },
    letGo: async (client, see, { on, networkId, groupId, authorityId }) => {
      await see(client.letGo(on, { what: 'network', id: networkId }, reference, 'another-run'));
      await see(client.letGo(on, { what: 'network', id: networkId }, reference));
      await see(client.letGo(on, { what: 'securityGroup', id: groupId }, reference));
      await see(client.letGo(on, { what: 'sshCertificateAuthority', id: authorityId }, reference));
      await see(client.letGo(on, { what: 'network', id: absentId }, reference));
    },
    createServer: async (client, see, { on, wanted, networkId }) => {
      await see(client.createServer(on, { ...named('web-1'), spec: { ...wanted, networkId } }));
      await see(client.createServer(on, { ...named('web-2'), spec: { ...wanted, networkId: absentId } }));
      await see(client.createServer(on, { ...named('web-2'), spec: { ...wanted, networkId, imageId: absentId } }));
    },
    server: async (client, see, { on, asJane, serverId, until }) => {
      await until(await serverId(), 'provisioned');
      await see(client.server(on, await serverId()));
      await see(client.server(on, absentId));
      await see(client.server(asJane, await serverId()));
    },
    servers: async (client, see, { on, networkId, organizationId }) => {
      await see(client.servers(on, { networkID: [networkId], organizationID: [organizationId] }));
      await see(client.servers(on, { networkID: [absentId] }));
      await see(client.servers(on, { tag: ['a=b'] }));
    },
    serverActions: async (client, see, { on, serverId }) => {
      await see(client.serverActions(on, await serverId()));
      await see(client.serverActions(on, absentId));
    },
    explainServer: async (client, see, { on, serverId }) => {
      await see(client.explainServer(on, await serverId()));
      await see(client.explainServer(on, absentId));
    },
    explainNetwork: async (client, see, { on, networkId }) => {
      await see(client.explainNetwork(on, networkId));
      await see(client.explainNetwork(on, absentId));
    },
    explainSecurityGroup: async (client, see, { on, groupId }) => {
      await see(client.explainSecurityGroup(on, groupId));
      await see(client.explainSecurityGroup(on, absentId));
    },
    updateServer: async (client, see, { on, serverId, wanted, until }) => {
      const body = { ...named('web-1'), spec: { ...wanted, imageId: images.debian } };
      await see(client.updateServer(on, await serverId(), body));
      await see(client.updateServer(on, absentId, body));
      await until(await serverId(), 'provisioned');
    },
    power: async (client, see, { on, serverId }) => {
      await see(client.power(on, await serverId(), 'softreboot'));
      await see(client.power(on, absentId, 'stop'));
    },
    consoleOutput: async (client, see, { on, serverId }) => {
      await see(client.consoleOutput(on, await serverId()).then(({ contents }) => typeof contents));
      await see(client.consoleOutput(on, await serverId(), 1).then(({ contents }) => typeof contents));
      await see(client.consoleOutput(on, absentId));
    },
    consoleSession: async (client, see, { on, serverId }) => {
      await see(client.consoleSession(on, await serverId()).then(({ url }) => new URL(url).host));
      await see(client.consoleSession(on, absentId));
    },
    demandTerminal: async (client, see, { on, serverId }) => {
      await see(client.demandTerminal(on, await serverId()));
      await see(client.demandTerminal(on, absentId));
    },
    terminal: async (client, see, { on, serverId }) => {
      const stop = new AbortController();
      await see(
        client.terminal(on, await serverId(), stop.signal).then(async ({ pieces }) => {
          for await (const piece of pieces) return Buffer.from(piece).toString().split('\r\n')[0];
          return undefined;
        }),
      );
      stop.abort();
      await see(client.terminal(on, absentId, new AbortController().signal));
    },
    sshKey: async (client, see, { on, serverId }) => {
      await see(client.sshKey(on, await serverId()).then(({ privateKey }) => privateKey.split('\n')[0]));
      await see(client.sshKey(on, absentId));
    },
    snapshot: async (client, see, { on, serverId }) => {
      await see(client.snapshot(on, await serverId(), { ...named('copy'), spec: {} }, 'copy'));
      await see(client.snapshot(on, absentId, { ...named('copy'), spec: {} }, 'absent'));
    },
    watchServers: async (client, see, { on, serverId, wanted, networkId }) => {
      const stop = new AbortController();
      const watch = taking(client.watchServers(on, { networkID: [networkId] }, { signal: stop.signal }));
      await see(watch.until('synced').then(withoutPosition));
      await see(client.updateServer(on, await serverId(), { ...named('web-1'), spec: wanted }));
      await see(watch.until('modified').then(withoutPosition));
      stop.abort();
    },
    deleteServer: async (client, see, { on, serverId }) => {
      await see(client.deleteServer(on, await serverId()));
      await see(client.deleteServer(on, absentId));
    },
    watchNetworks: async (client, see, { on, network, organizationId, store, networkId }) => {
      const stop = new AbortController();
      const watch = taking(client.watchNetworks(on, { organizationID: [organizationId] }, { signal: stop.signal }));
      await see(watch.until('synced').then(withoutPosition));
      await network('another');
      await see(watch.until('added').then(withoutPosition));
      await store.delete(Network, networkId);
      await see(watch.until('modified').then((events) => events.at(-1)?.type));
      stop.abort();
    },
  },
});
