import { createServer } from 'node:http';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { inject } from 'vitest';

import type { ProviderUnderTest } from '../../packages/region/src/provider/conformance/index.ts';
import type { CloudProvider } from '../../packages/region/src/provider/index.ts';
import {
  OpenstackIdentity,
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
} from '../../packages/region/src/providers/openstack/index.ts';
import { host } from './cloud/site.ts';
import { access, asAdministrator } from './cloud.fixture.ts';
import { removeProject } from './sweep.fixture.ts';

/** A region in the cloud under test, with a store of its own. */
export async function openRegion() {
  const world = systemWorld;
  const store = openMemoryStore({ world, kinds: openstackKinds });
  const regionId = world.uuid();
  const secret = await regionSecret();
  const opened: OpenstackRegion[] = [];
  const imageServer = await serveImage();
  /** Some of them are organizations that images belong to. */
  const ids: string[] = [];

  function provider(): CloudProvider {
    const region = new OpenstackRegion({
      regionId,
      store,
      world,
      telemetry: silentTelemetry(),
      settings: {
        endpoint: access.authUrl,
        regionName: access.region,
        network: { externalNetworks: { selector: { tags: [access.externalNetworkTag] } } },
      },
      secret: () => Promise.resolve(secret),
    });
    opened.push(region);
    return openstackProvider(region);
  }

  return {
    /** Where the cloud can read the data of an image. */
    imageUri: imageServer.uri,
    /** As a process that has just started. */
    provider,
    freshId: () => {
      const id = world.uuid();
      ids.push(id);
      return id;
    },
    /** Removes what is left in the cloud where it lives on, and closes all connections. */
    close: async () => {
      if (inject('cloudIsShared')) {
        const call = await asAdministrator();
        for (const { spec } of (await store.list(OpenstackIdentity)).items)
          if (spec.projectID !== undefined) await removeProject(call, spec.projectID);
        const { images } = provider();
        for (const { id } of await images.list({ ownedBy: ids })) await images.remove(id);
      }
      for (const region of opened) await region.close();
      await imageServer.close();
      await store.close();
    },
  };
}

/** A file on this machine that looks like a disk: the last two bytes of its first sector say that it can be booted. */
export async function serveImage() {
  const disk = Buffer.alloc(4096);
  disk.writeUInt16LE(0xaa55, 510);
  const server = createServer((_, answer) => answer.end(disk));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server that listens has a port');
  return {
    uri: `http://${host}:${address.port}/image.raw`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** The credentials of a region, as its secret has them. */
export async function regionSecret(): Promise<Readonly<Record<string, string>>> {
  const call = await asAdministrator();
  const { user, domain, project } = access.regionUser;
  const [{ id: domainId }] = (await call('identity', 'GET', `/domains?name=${domain}`)).domains;
  const inDomain = `domain_id=${domainId}`;
  const [{ id: userId }] = (await call('identity', 'GET', `/users?name=${user}&${inDomain}`)).users;
  const [{ id: projectId }] = (await call('identity', 'GET', `/projects?name=${project}&${inDomain}`)).projects;
  return { 'domain-id': domainId, 'project-id': projectId, 'user-id': userId, password: access.password };
}

/** The provider as the conformance suite wants it. Time is real, and so is everything else. */
export async function underTest(region: Awaited<ReturnType<typeof openRegion>>): Promise<ProviderUnderTest> {
  const call = await asAdministrator();
  const flavor = (await call('compute', 'GET', '/flavors')).flavors.find(
    ({ name }: { name: string }) => name === 'm1.tiny',
  );
  const image = async (name: string) => (await call('image', 'GET', `/v2/images?name=${name}`)).images[0].id as string;
  return {
    provider: region.provider(),
    restarted: () => region.provider(),
    materials: {
      flavorId: flavor.id,
      imageId: await image('debian-12'),
      otherImageId: await image('ubuntu-24.04'),
      imageUri: region.imageUri,
    },
    several: 2,
    freshId: () => region.freshId(),
    run: (answer) => answer,
    pause: () => systemWorld.sleep(1000),
    // A process that dies after the last call of the cloud and before it could remember anything.
    lose: async (ask) => {
      await ask(region.provider()).catch(() => undefined);
    },
    close: () => Promise.resolve(),
  };
}
