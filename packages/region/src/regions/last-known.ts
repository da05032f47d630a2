import type { World } from '@unikorn/core/world';

import { isProviderFailure, type Image, type ImageDescription, type ImageQuery, type Images, type InventoryProvider, type Removed, type Servers } from '../provider/index.ts';
import type { Offer } from './providers.ts';

/** More queries than organizations ask in an hour; each remembers a list of some kilobytes. */
const remembered = 1_000;

/** For so long an answer is as good as a new one: nobody notices, and a burst of creations asks once. */
const fresh_ms = 1_000;

/**
 * The same provider, whose catalogue is asked for once a second at most, and is still known while it cannot be asked: what a
 * region offers changes seldom, and who chooses from it need not be turned away by an outage. What is changed from here is
 * seen from here at once.
 */
export function withLastKnown(offer: Offer, world: World): Offer {
  const flavors = new LastKnown(world, () => offer.provider.flavors());
  if (offer.tier === 'inventory') return { tier: 'inventory', provider: { ...inventoryOf(offer.provider), flavors: () => flavors.ask() } };
  const lists = new ImageLists(world, offer.provider.images);
  return { tier: 'cloud', provider: { ...offer.provider, flavors: () => flavors.ask(), images: lists, servers: snapshotting(offer.provider.servers, lists) } };
}

function inventoryOf(provider: InventoryProvider): InventoryProvider {
  return { flavors: () => provider.flavors(), volumeClasses: () => provider.volumeClasses() };
}

class ImageLists implements Images {
  readonly #world: World;
  readonly #images: Images;
  readonly #lists = new Map<string, LastKnown<readonly Image[]>>();

  constructor(world: World, images: Images) {
    this.#world = world;
    this.#images = images;
  }

  list(query?: ImageQuery): Promise<readonly Image[]> {
    const key = JSON.stringify(query ?? {});
    const list = this.#lists.get(key) ?? new LastKnown(this.#world, () => this.#images.list(query));
    if (this.#lists.size >= remembered) this.#lists.clear();
    this.#lists.set(key, list);
    return list.ask();
  }

  import(image: ImageDescription, uri: string): Promise<Image> {
    return this.changing(() => this.#images.import(image, uri));
  }

  remove(id: string): Promise<Removed> {
    return this.changing(() => this.#images.remove(id));
  }

  /** Asks anew after something that changes images, and for whatever was asked before it: whether it worked is not always known. */
  async changing<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      for (const list of this.#lists.values()) list.outdate();
    }
  }
}

/** The same servers, whose snapshots are images. */
function snapshotting(servers: Servers, lists: ImageLists): Servers {
  return {
    ensure: (identity, wanted) => servers.ensure(identity, wanted),
    observe: (identity, server) => servers.observe(identity, server),
    list: (identity) => servers.list(identity),
    remove: (identity, server) => servers.remove(identity, server),
    power: (identity, server, verb) => servers.power(identity, server, verb),
    rebuild: (identity, server, imageId) => servers.rebuild(identity, server, imageId),
    consoleOutput: (identity, server, lines) => servers.consoleOutput(identity, server, lines),
    consoleSession: (identity, server) => servers.consoleSession(identity, server),
    snapshot: (identity, server, image) => lists.changing(() => servers.snapshot(identity, server, image)),
  };
}

/** One question. It is asked again when the last answer is no longer fresh, and answered with that when there is nobody to ask. */
class LastKnown<T> {
  readonly #world: World;
  readonly #ask: () => Promise<T>;
  #asked = 0;
  #last: { readonly answer: T; readonly number: number } | undefined;
  #fresh: { readonly answer: Promise<T>; readonly until_ms: number } | undefined;

  constructor(world: World, ask: () => Promise<T>) {
    this.#world = world;
    this.#ask = ask;
  }

  ask(): Promise<T> {
    const now_ms = this.#world.monotonic_ms();
    if (this.#fresh && this.#fresh.until_ms > now_ms) return this.#fresh.answer;
    const answer = this.#askNow(++this.#asked);
    this.#fresh = { answer, until_ms: now_ms + fresh_ms };
    return answer;
  }

  /** What was answered, or is being answered, is only good for an outage. */
  outdate(): void {
    this.#fresh = undefined;
  }

  /** Answers may overtake each other: the one to what was asked last counts. */
  async #askNow(number: number): Promise<T> {
    // Whatever the provider does at once is done when this is known to be asked.
    await Promise.resolve();
    try {
      const answer = await this.#ask();
      if (number >= (this.#last?.number ?? 0)) this.#last = { answer, number };
      return answer;
    } catch (error) {
      if (number === this.#asked) this.outdate();
      if (this.#last && isProviderFailure(error, 'transient', 'unavailable')) return this.#last.answer;
      throw error;
    }
  }
}
