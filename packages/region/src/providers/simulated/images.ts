import { defined } from '@unikorn/core/defined';
import { timestamp } from '@unikorn/core/world';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import {
  absent,
  byName,
  ImageDescription,
  isWanted,
  ProviderFailure,
  type Image,
  type ImageQuery,
  type Images,
  type Removed,
} from '../../provider/index.ts';
import type { Holdings } from './claims.ts';
import { pools, type Cloud } from './cloud.ts';
import type { Knobs } from './knobs.ts';
import { Records } from './records.ts';

const ImageBody = Type.Object({
  description: ImageDescription,
  size_gib: Type.Integer(),
  createdAt: Type.Integer(),
  readyAt: Type.Integer(),
  fate: Type.Union([Type.Literal('ready'), Type.Literal('failed')]),
  identityId: Type.Optional(Type.String()),
});
type ImageBody = Static<typeof ImageBody>;

const imageBody = Compile(ImageBody);

/** Images belong to the region as a whole, whatever principal created them. */
const everybody = 'region';

const imported_gib = 20;

export class SimulatedImages implements Images {
  readonly #cloud: Cloud;
  readonly #records: Records<ImageBody>;

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
    this.#records = new Records({ ...cloud, sort: 'image', parse: (body) => imageBody.Parse(body) });
  }

  list(query: ImageQuery = {}): Promise<readonly Image[]> {
    return this.#cloud.gate.look<readonly Image[]>(
      async () => {
        const custom = (await this.#records.list(everybody)).map(({ body }) => shown(body, this.#cloud.world.now()));
        return byName([...this.#cloud.catalogue.images, ...custom].filter((image) => isWanted(image, query)));
      },
      () => [],
    );
  }

  /** Nothing is fetched: a simulated image has no data. */
  import(image: ImageDescription, uri: string): Promise<Image> {
    return this.#cloud.gate.pass((knobs) => {
      if (!URL.canParse(uri)) throw new ProviderFailure('invalid', 'the address of the image is not a URL');
      return this.store(image, knobs, { size_gib: imported_gib });
    });
  }

  remove(id: string): Promise<Removed> {
    return this.#cloud.gate.pass(async () => {
      if (this.#builtIn(id)) throw new ProviderFailure('permission', 'the image belongs to the cloud');
      if (await this.#cloud.claims.inUse(pools.usesOfImage(this.#cloud, id)))
        throw new ProviderFailure('in_use', 'servers still run on the image');
      await this.#records.delete(this.#records.nameOf(everybody, id));
      return absent;
    });
  }

  /** Returns the image with that id, and creates it if it does not exist. */
  async store(
    description: ImageDescription,
    { image_ms, buildFailureRate }: Knobs,
    facts: { readonly size_gib: number; readonly identityId?: string },
  ): Promise<Image> {
    const now = this.#cloud.world.now();
    const fate = buildFailureRate > 0 && this.#cloud.world.random() < buildFailureRate ? 'failed' : 'ready';
    const { body } =
      (await this.#records.find(everybody, description.id)) ??
      (await this.#records.create(
        everybody,
        description.id,
        imageBody.Parse({ description, ...facts, createdAt: now, readyAt: now + image_ms, fate }),
      ));
    return shown(body, now);
  }

  /** Records that a server runs on the image, so that it cannot be removed. */
  async use(holdings: Holdings, id: string): Promise<void> {
    const image = await this.#find(id);
    if (image?.state !== 'ready')
      throw new ProviderFailure(
        image ? 'conflict' : 'not_found',
        image ? 'the image is not ready' : 'the image does not exist',
      );
    // Images of the cloud itself are never removed, so their use is not recorded.
    if (!this.#builtIn(id)) await holdings.use(pools.usesOfImage(this.#cloud, id));
  }

  async unuse(holdings: Holdings, id: string): Promise<void> {
    await holdings.release(pools.usesOfImage(this.#cloud, id));
  }

  async sizeOf(id: string): Promise<number> {
    return (await this.#find(id))?.size_gib ?? imported_gib;
  }

  async #find(id: string): Promise<Image | undefined> {
    const builtIn = this.#builtIn(id);
    if (builtIn) return builtIn;
    const stored = await this.#records.find(everybody, id);
    return stored && shown(stored.body, this.#cloud.world.now());
  }

  #builtIn(id: string): Image | undefined {
    return this.#cloud.catalogue.images.find((image) => image.id === id);
  }
}

function shown({ description, size_gib, createdAt, readyAt, fate, identityId }: ImageBody, now: number): Image {
  const arriving = now < (createdAt + readyAt) / 2 ? 'pending' : 'creating';
  return {
    ...description,
    size_gib,
    state: now < readyAt ? arriving : fate,
    createdAt: timestamp(createdAt),
    ...defined({ identityId }),
  };
}
