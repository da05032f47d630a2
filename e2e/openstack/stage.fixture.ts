import { Turns } from '@unikorn/core/turns';
import { systemWorld } from '@unikorn/core/world';

import { networkOf } from '../../packages/region/src/provider/conformance/specimens.ts';
import type { IdentityReference } from '../../packages/region/src/provider/index.ts';
import type { Caller } from './cloud/caller.ts';
import { Asker, askThroughFaults, noTrouble, Tally, type FaultyRegion, type Question } from './faults.fixture.ts';
import { removeIdentity } from './inventory.fixture.ts';
import { imageOf, running, serverOf, type Materials, type Stage } from './lives.fixture.ts';

export async function materialsOf(call: Caller, imageUri: string): Promise<Materials> {
  const { flavors } = await call('compute', 'GET', '/flavors');
  const image = async (name: string) => (await call('image', 'GET', `/v2/images?name=${name}`)).images[0].id as string;
  return {
    flavorId: flavors.find(({ name }: { name: string }) => name === 'm1.tiny').id,
    imageId: await image('debian-12'),
    otherImageId: await image('ubuntu-24.04'),
    imageUri,
  };
}

export interface OpenStage extends Stage {
  /** Asks without faults until the answer is `done`. */
  readonly ask: (question: Question) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A project of its own, in which nothing else happens. */
export async function openStage(region: FaultyRegion, call: Caller, materials: Materials): Promise<OpenStage> {
  const identities: string[] = [];
  const images: string[] = [];
  const freshIdentity = (): IdentityReference => {
    const id = systemWorld.uuid();
    identities.push(id);
    return { id, organizationId: systemWorld.uuid(), projectId: systemWorld.uuid() };
  };
  const asker = new Asker(region);
  const ask = async (question: Question) => {
    await askThroughFaults(question, { asker, tally: new Tally(), method: 'a question', trouble: noTrouble });
  };
  const owner = freshIdentity();
  let projectId = '';
  await ask(async ({ identities: part }) => {
    projectId = (await part.ensure(owner)).observed.providerId;
    return 'done';
  });
  const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => (made ??= make());
  };
  const stage: Stage = {
    call,
    owner,
    projectId,
    freshIdentity,
    freshImage: () => {
      const image = imageOf(systemWorld.uuid());
      images.push(image.name);
      return image;
    },
    materials,
    networkId: once(async () => {
      const id = systemWorld.uuid();
      await ask(async ({ networks }) => {
        await networks.ensure(owner, networkOf(id));
        return 'done';
      });
      return id;
    }),
    server: once(async () => {
      const wanted = await serverOf(stage);
      await ask(running(owner, wanted));
      return wanted;
    }),
  };
  return {
    ...stage,
    ask,
    close: async () => {
      for (const name of images)
        for (const { id } of (await call('image', 'GET', `/v2/images?name=${name}&visibility=all`)).images)
          await call('image', 'DELETE', `/v2/images/${id}`, { tolerate: [404] });
      for (const id of identities) await removeIdentity(call, id);
    },
  };
}

/** Some stages, each for one life at a time. They are opened when they are needed. */
export class Stages {
  readonly #turns: Turns;
  readonly #open: () => Promise<OpenStage>;
  readonly #free: OpenStage[] = [];
  readonly #opened: OpenStage[] = [];

  constructor(count: number, open: () => Promise<OpenStage>) {
    this.#turns = new Turns(systemWorld, count);
    this.#open = open;
  }

  /**
   * Runs a life on a stage that is free. The sorts of things take turns. A stage whose life failed is not used again:
   * it may have left things.
   */
  async use<T>(sort: string, life: (stage: Stage) => Promise<T>): Promise<T> {
    const end = await this.#turns.take(sort);
    try {
      const stage = this.#free.pop() ?? (await this.#add());
      const lived = await life(stage);
      this.#free.push(stage);
      return lived;
    } finally {
      end();
    }
  }

  async close(): Promise<void> {
    for (const stage of this.#opened) await stage.close();
  }

  async #add(): Promise<OpenStage> {
    const stage = await this.#open();
    this.#opened.push(stage);
    return stage;
  }
}
