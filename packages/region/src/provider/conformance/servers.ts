import { beforeEach, describe, expect, it } from 'vitest';

import type { ImageDescription } from '../image.ts';
import type { ObservedServer, PowerVerb } from '../server.ts';
import {
  answer,
  expectFailure,
  insist,
  isAbsent,
  isOneReady,
  isPresent,
  useStage,
  type ProviderHarness,
  type Stage,
} from './harness.ts';
import { networkOf, prepareHome, serverOf } from './specimens.ts';

export function describeServers(harness: ProviderHarness): void {
  describe('a server that runs', () => {
    const current = useStage(harness);
    beforeEach(() => prepareHome(current()));

    it('was launched, has its addresses, and runs the image that it was created from', async () => {
      const { stage, observed } = await running(current());
      expect(observed).toMatchObject({ power: 'running', task: 'idle', imageId: stage.materials.imageId });
      expect(observed.privateIP).toMatch(/^10\.0\.0\.\d+$/);
      expect([observed.publicIP, observed.macAddress, observed.launchedAt].map((value) => typeof value)).toEqual([
        'string',
        'string',
        'string',
      ]);
    });

    it('stops, starts and reboots, and keeps its addresses and the time of its launch', async () => {
      const { stage, id, observed } = await running(current());
      const steps: readonly (readonly [PowerVerb, ObservedServer['status']])[] = [
        ['stop', 'shutoff'],
        ['start', 'active'],
        ['softreboot', 'active'],
        ['hardreboot', 'active'],
      ];
      for (const [verb, status] of steps) {
        await insistOnVerb(stage, id, verb);
        const { privateIP, publicIP, launchedAt } = await becomes(stage, id, status);
        expect({ privateIP, publicIP, launchedAt }).toEqual({
          privateIP: observed.privateIP,
          publicIP: observed.publicIP,
          launchedAt: observed.launchedAt,
        });
      }
    });

    it('can be switched off and on while its guest is still rebooting', async () => {
      const { stage, id } = await running(current());
      await insistOnVerb(stage, id, 'softreboot');
      await insistOnVerb(stage, id, 'hardreboot');
      await becomes(stage, id, 'active');
    });

    it('refuses to be started, and refuses to be stopped when it is stopped', async () => {
      const { stage, id } = await running(current());
      await expectFailure(
        stage,
        () => stage.provider.servers.power(stage.identity, serverOf(stage, id), 'start'),
        'conflict',
      );
      await insistOnVerb(stage, id, 'stop');
      await becomes(stage, id, 'shutoff');
      await expectFailure(
        stage,
        () => stage.provider.servers.power(stage.identity, serverOf(stage, id), 'stop'),
        'conflict',
      );
    });

    it('shows the new image from the moment a rebuild is accepted, and is the same server afterwards', async () => {
      const { stage, id, observed } = await running(current());
      const { servers } = stage.provider;
      const { otherImageId } = stage.materials;
      await stage.run(servers.rebuild(stage.identity, serverOf(stage, id), otherImageId)).catch(() => undefined);
      const accepted = await answer(stage, () => servers.observe(stage.identity, serverOf(stage, id)));
      if (accepted.state === 'absent' || accepted.observed.imageId !== otherImageId)
        await insist(stage, () => servers.rebuild(stage.identity, serverOf(stage, id), otherImageId));
      expect(await becomes(stage, id, 'active')).toMatchObject({
        imageId: otherImageId,
        providerId: observed.providerId,
        privateIP: observed.privateIP,
        launchedAt: observed.launchedAt,
      });
    });

    it('is never rebuilt by an ensure with another image', async () => {
      const { stage, id } = await running(current());
      const { imageId, otherImageId } = stage.materials;
      await insist(
        stage,
        () => stage.provider.servers.ensure(stage.identity, { ...serverOf(stage, id), imageId: otherImageId }),
        isPresent,
      );
      expect(await becomes(stage, id, 'active')).toMatchObject({ imageId });
    });

    it('loses and gains its public address as requested', async () => {
      const { stage, id } = await running(current());
      const ensure = (publicIP: 'wanted' | 'unwanted') =>
        insist(
          stage,
          () => stage.provider.servers.ensure(stage.identity, { ...serverOf(stage, id), publicIP }),
          isPresent,
        );
      await ensure('unwanted');
      expect((await becomes(stage, id, 'active')).publicIP).toBeUndefined();
      await ensure('wanted');
      expect((await becomes(stage, id, 'active')).publicIP).toBeDefined();
    });

    it('writes to its console, and only the requested number of lines is returned', async () => {
      const { stage, id } = await running(current());
      const output = (lines?: number) =>
        stage.provider.servers.consoleOutput(stage.identity, serverOf(stage, id), lines);
      await insist(
        stage,
        () => output(),
        (text) => text.split('\n').length > 3,
      );
      expect((await answer(stage, () => output(2))).split('\n')).toHaveLength(2);
      expect(
        URL.canParse(
          (await answer(stage, () => stage.provider.servers.consoleSession(stage.identity, serverOf(stage, id)))).url,
        ),
      ).toBe(true);
    });

    it('is copied into one image however often that is requested, which becomes ready and can be removed', async () => {
      const { stage, id } = await running(current());
      const { images, servers } = stage.provider;
      const wanted = snapshotOf(stage);
      const { id: imageId } = await insist(stage, () => servers.snapshot(stage.identity, serverOf(stage, id), wanted));
      await insist(stage, () => servers.snapshot(stage.identity, serverOf(stage, id), wanted));
      const owned = () => images.list({ ownedBy: [stage.identity.organizationId] });
      expect(await answer(stage, owned)).toHaveLength(1);
      const ready = await insist(stage, owned, isOneReady);
      expect(ready).toMatchObject([{ ...wanted, id: imageId, identityId: stage.identity.id }]);
      await insist(stage, () => images.remove(imageId), isAbsent);
      expect(await answer(stage, owned)).toEqual([]);
    });

    it('keeps its network until it is removed', async () => {
      const stage = current();
      const { networks, servers } = stage.provider;
      const network = networkOf(stage.freshId());
      await insist(stage, () => networks.ensure(stage.identity, network), isPresent);
      const server = { ...serverOf(stage, stage.freshId()), networkId: network.id };
      await insist(stage, () => servers.ensure(stage.identity, server), isPresent);
      await expectFailure(stage, () => networks.remove(stage.identity, network), 'in_use');
      await insist(stage, () => servers.remove(stage.identity, server), isAbsent);
      await insist(stage, () => networks.remove(stage.identity, network), isAbsent);
    });

    it('has an address of its own', async () => {
      const stage = current();
      const addresses: unknown[] = [];
      const ids = Array.from({ length: stage.several }, () => stage.freshId());
      const { servers } = stage.provider;
      for (const id of ids) await insist(stage, () => servers.ensure(stage.identity, serverOf(stage, id)));
      for (const id of ids) {
        await insist(stage, () => servers.ensure(stage.identity, serverOf(stage, id)), isPresent);
        const { privateIP, publicIP, macAddress } = await becomes(stage, id, 'active');
        addresses.push(privateIP, publicIP, macAddress);
      }
      expect(new Set(addresses).size).toBe(3 * ids.length);
    });
  });

  describe('a server that does not exist', () => {
    const current = useStage(harness);

    it('refuses every verb', async () => {
      const stage = current();
      const { servers } = stage.provider;
      const ghost = serverOf(stage, stage.freshId());
      await expectFailure(stage, () => servers.power(stage.identity, ghost, 'start'), 'not_found');
      await expectFailure(stage, () => servers.rebuild(stage.identity, ghost, stage.materials.imageId), 'not_found');
      await expectFailure(stage, () => servers.consoleOutput(stage.identity, ghost), 'not_found');
      await expectFailure(stage, () => servers.consoleSession(stage.identity, ghost), 'not_found');
      const { signal } = new AbortController();
      await expectFailure(stage, () => servers.terminal(stage.identity, ghost, signal), 'not_found');
      await expectFailure(stage, () => servers.snapshot(stage.identity, ghost, snapshotOf(stage)), 'not_found');
    });
  });
}

async function running(
  stage: Stage,
): Promise<{ readonly stage: Stage; readonly id: string; readonly observed: ObservedServer }> {
  const id = stage.freshId();
  await insist(stage, () => stage.provider.servers.ensure(stage.identity, serverOf(stage, id)), isPresent);
  return { stage, id, observed: await becomes(stage, id, 'active') };
}

async function becomes(stage: Stage, id: string, status: ObservedServer['status']): Promise<ObservedServer> {
  const presence = await insist(
    stage,
    () => stage.provider.servers.observe(stage.identity, serverOf(stage, id)),
    (seen) => seen.state === 'present' && seen.observed.status === status && seen.observed.task === 'idle',
  );
  if (presence.state === 'absent') throw new Error('a server that is absent has no status');
  return presence.observed;
}

/** A verb whose response was lost may have taken effect, and then gets a conflict when it is repeated. */
async function insistOnVerb(stage: Stage, id: string, verb: PowerVerb): Promise<void> {
  const wanted = verb === 'stop' ? 'shutdown' : 'running';
  await insist(
    stage,
    async () => {
      const failed = await stage.provider.servers.power(stage.identity, serverOf(stage, id), verb).then(
        () => false,
        () => true,
      );
      if (!failed) return true;
      const seen = await stage.provider.servers.observe(stage.identity, serverOf(stage, id));
      return verb.endsWith('reboot')
        ? false
        : seen.state === 'present' && seen.observed.task === 'idle' && seen.observed.power === wanted;
    },
    Boolean,
  );
}

function snapshotOf(stage: Stage): ImageDescription {
  return {
    id: stage.freshId(),
    name: 'copy',
    description: 'a copy of the disk',
    organizationId: stage.identity.organizationId,
    tags: [],
    architecture: 'x86_64',
    virtualization: 'virtualized',
    os: { kernel: 'linux', family: 'debian', distro: 'ubuntu', version: '24.04' },
    softwareVersions: {},
  };
}
