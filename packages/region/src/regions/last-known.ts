import type { World } from '@unikorn/core/world';

import { limits, waits } from '../limits.ts';
import {
  isProviderFailure,
  ProviderFailure,
  type Image,
  type ImageDescription,
  type ImageQuery,
  type Images,
  type Removed,
  type Servers,
} from '../provider/index.ts';
import { cloudWith, inventoryWith, serversWith } from './delegate.ts';
import { Doubt } from './doubt.ts';
import { isImplausibleLoss } from './implausible-loss.ts';
import type { Offer } from './providers.ts';

/** Called with the images of a region each time its cloud has listed them. */
export type ImageObserver = (regionId: string, images: readonly Image[]) => void;

type Seen = (images: readonly Image[]) => void;

const unobserved: Seen = () => undefined;

/**
 * A provider whose catalogue is read at most once a second, and that returns the last known catalogue while the cloud
 * does not answer: the catalogue of a region seldom changes, and an outage should not stop users from reading it.
 * Changes by this process are visible at once. If most of the catalogue disappears, that is only accepted after the
 * cloud has said so for a while.
 */
export function withLastKnown(offer: Offer, world: World, seen: Seen = unobserved): Offer {
  const flavors = new LastKnown(world, { ask: () => offer.provider.flavors(), nature: 'lasting' });
  if (offer.tier === 'inventory')
    return {
      tier: 'inventory',
      provider: inventoryWith(offer.provider, { flavors: () => flavors.ask() }),
      outage: () => flavors.outage(),
    };
  const lists = new ImageLists(world, offer.provider.images, seen);
  return {
    tier: 'cloud',
    provider: cloudWith(offer.provider, {
      flavors: () => flavors.ask(),
      images: lists,
      servers: snapshotting(offer.provider.servers, lists),
    }),
    outage: () => flavors.outage(),
  };
}

class ImageLists implements Images {
  readonly #world: World;
  readonly #images: Images;
  readonly #seen: Seen;
  readonly #lists = new Map<string, LastKnown<Image>>();

  constructor(world: World, images: Images, seen: Seen) {
    this.#world = world;
    this.#images = images;
    this.#seen = seen;
  }

  list(query?: ImageQuery): Promise<readonly Image[]> {
    const key = JSON.stringify(query ?? {});
    const list = this.#lists.get(key) ?? new LastKnown(this.#world, this.#question(query));
    if (this.#lists.size >= limits.catalogueQueries) this.#lists.clear();
    this.#lists.set(key, list);
    return list.ask();
  }

  import(image: ImageDescription, uri: string): Promise<Image> {
    return this.changing(() => this.#images.import(image, uri));
  }

  remove(id: string): Promise<Removed> {
    return this.changing(() => this.#images.remove(id), 'fewer');
  }

  /**
   * Discards the cached lists after a change of images, also those that were requested before it, because it is not
   * always known whether the change succeeded.
   */
  async changing<T>(change: () => Promise<T>, effect: 'more' | 'fewer' = 'more'): Promise<T> {
    try {
      return await change();
    } finally {
      for (const list of this.#lists.values()) list.outdate(effect);
    }
  }

  /**
   * A query for available images always includes the public ones, so an empty answer is implausible if others got some.
   */
  #question(query: ImageQuery | undefined): Question<Image> {
    const isOffer = query?.availableTo !== undefined;
    const others = () => this.#lists.values().some((list) => list.isOffer && list.known.length > 0);
    return {
      ask: async () => {
        const images = await this.#images.list(query);
        this.#seen(images);
        return images;
      },
      nature: isLasting(query) ? 'lasting' : 'passing',
      isOffer,
      expectsSome: () => isOffer && others(),
    };
  }
}

/** Images in other states come and go; ready images stay. */
function isLasting(query: ImageQuery | undefined): boolean {
  return query?.states === undefined || query.states.includes('ready');
}

/** The same servers, whose snapshots change the list of images. */
function snapshotting(servers: Servers, lists: ImageLists): Servers {
  return serversWith(servers, {
    snapshot: (identity, server, image) => lists.changing(() => servers.snapshot(identity, server, image)),
  });
}

interface Question<Item> {
  readonly ask: () => Promise<readonly Item[]>;
  /** A `passing` list may become empty at any moment. */
  readonly nature: 'lasting' | 'passing';
  /** Whether it is a list for users to choose from. */
  readonly isOffer?: boolean;
  /** Whether an empty answer is implausible even without an earlier answer. */
  readonly expectsSome?: () => boolean;
}

/**
 * One cached list. It is read again when it is no longer fresh. The last answer is used if the cloud does not answer,
 * or its answer is implausible.
 */
class LastKnown<Item extends { readonly id: string }> {
  readonly #world: World;
  readonly #question: Question<Item>;
  readonly #loss: Doubt;
  #asked = 0;
  #last: { readonly answer: readonly Item[]; readonly number: number } | undefined;
  #fresh: { readonly answer: Promise<readonly Item[]>; readonly until_ms: number } | undefined;
  #expectsLossUntil_ms = 0;
  #outage: string | undefined;

  constructor(world: World, question: Question<Item>) {
    this.#world = world;
    this.#question = question;
    this.#loss = new Doubt(world);
  }

  get isOffer(): boolean {
    return this.#question.isOffer === true && this.#question.nature === 'lasting';
  }

  /** The last accepted answer. */
  get known(): readonly Item[] {
    return this.#last?.answer ?? [];
  }

  ask(): Promise<readonly Item[]> {
    const now_ms = this.#world.monotonic_ms();
    if (this.#fresh && this.#fresh.until_ms > now_ms) return this.#fresh.answer;
    const answer = this.#askNow(++this.#asked);
    this.#fresh = { answer, until_ms: now_ms + waits.catalogue_ms };
    return answer;
  }

  /** Why the cloud does not answer, although the last known list may still be shown. */
  async outage(): Promise<string | undefined> {
    await this.ask().catch((error: unknown) => {
      if (!isProviderFailure(error)) throw error;
    });
    return this.#outage;
  }

  /** From now on the last answer, and one in progress, are only used during an outage. */
  outdate(effect?: 'more' | 'fewer'): void {
    this.#fresh = undefined;
    if (effect === 'fewer') this.#expectsLossUntil_ms = this.#world.monotonic_ms() + waits.aftermath_ms;
  }

  #isStrange(answer: readonly Item[]): boolean {
    const { known: before } = this;
    const { nature, expectsSome = () => false } = this.#question;
    if (nature === 'passing' || this.#world.monotonic_ms() < this.#expectsLossUntil_ms) return false;
    if (before.length === 0) return answer.length === 0 && expectsSome();
    const there = new Set(answer.map(({ id }) => id));
    return (
      answer.length === 0 ||
      isImplausibleLoss({ expected: before.length, missing: before.filter(({ id }) => !there.has(id)).length })
    );
  }

  /** Answers may arrive in another order: the answer to the latest request counts. */
  async #askNow(number: number): Promise<readonly Item[]> {
    // Lets the provider complete its synchronous work first.
    await Promise.resolve();
    try {
      const answer = await this.#question.ask();
      if (number === this.#asked) this.#outage = undefined;
      if (number < (this.#last?.number ?? 0)) return answer;
      if (this.#loss.about(this.#isStrange(answer)))
        throw new ProviderFailure(
          'unavailable',
          'the cloud answered with an empty catalogue, which must last for a minute before it is accepted: try again',
        );
      this.#last = { answer, number };
      return answer;
    } catch (error) {
      if (number === this.#asked) {
        this.outdate();
        // Wrong credentials make a region as unusable as a silent cloud.
        this.#outage = isProviderFailure(error, 'unavailable', 'permission') ? error.message : undefined;
      }
      if (this.#last && isProviderFailure(error, 'transient', 'unavailable')) return this.#last.answer;
      throw error;
    }
  }
}
