import { expect, it, onTestFinished } from 'vitest';

import { History } from '@unikorn/core/history';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { regionKinds } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import type { Image } from '../provider/index.ts';
import { imageObject } from './image-objects.ts';
import { imageStateRecorder } from './image-states.ts';
import { imageSubject } from './subjects.ts';

const [id, organizationId, regionId] = ['i', 'o', 'r'].map((letter) => `${letter}0000000`) as [string, string, string];

function stage() {
  const world = virtualWorld();
  const memory = openMemoryStore({ world, kinds: regionKinds });
  onTestFinished(() => memory.close());
  const context = { store: memory, world, telemetry: silentTelemetry() };
  const image: Image = {
    id,
    name: 'mine',
    organizationId,
    tags: [],
    architecture: 'x86_64',
    virtualization: 'any',
    os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' },
    softwareVersions: {},
    size_gib: 20,
    state: 'ready',
    createdAt: new Date(world.now()).toISOString(),
  };
  const begin = () => {
    const history = new History({ ...context, subject: imageSubject });
    return { history, observe: imageStateRecorder(history, context) };
  };
  const processes = [begin(), begin()] as const;
  const created = () =>
    processes[0].history.commit(
      id,
      { type: 'intent', action: 'create', outcome: 'accepted' },
      imageObject(image, { organizationId, regionId }),
    );
  const recorded = async () => {
    await world.advance(1_000);
    const { entries } = await processes[0].history.read(id, {});
    return entries.map(({ action, outcome, times }) =>
      [action, outcome, ...(times === undefined ? [] : [times])].join(' '),
    );
  };
  return { world, image, begin, processes, created, recorded };
}

it('a state is recorded once, although several processes read the catalogue again and again', async () => {
  const { world, image, begin, processes, created, recorded } = stage();
  await created();
  for (const state of ['pending', 'creating', 'ready', 'ready'] as const)
    for (const { observe } of processes) {
      observe(regionId, [{ ...image, state }]);
      await world.advance(1_000);
    }
  begin().observe(regionId, [image]);
  expect(await recorded()).toEqual(['create accepted', 'state ready']);
});

it('a state is recorded after the creation, which a request may not have stored yet', async () => {
  const { image, processes, created, recorded } = stage();
  processes[1].observe(regionId, [image]);
  expect(await recorded()).toEqual([]);
  await created();
  processes[1].observe(regionId, [image]);
  expect(await recorded()).toEqual(['create accepted', 'state ready']);
});

it('images of the cloud, and images that were created long ago, are left out', async () => {
  const { world, image, processes, created, recorded } = stage();
  await created();
  const { name, tags, architecture, virtualization, os, softwareVersions, size_gib, state, createdAt } = image;
  const described = { id, name, tags, architecture, virtualization, os, softwareVersions };
  processes[0].observe(regionId, [{ ...described, size_gib, state, createdAt }]);
  await world.advance(waits.imageArrival_ms + 1_000);
  processes[0].observe(regionId, [image]);
  expect(await recorded()).toEqual(['create accepted']);
});
