import { Problem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { getKnown, type Store } from '@unikorn/core/store';
import { Turns } from '@unikorn/core/turns';
import type { World } from '@unikorn/core/world';

import { defaultConfiguration } from '../configuration.ts';
import { Region } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import {
  ProviderFailure,
  type Check,
  type CloudChange,
  type CloudProvider,
  type InventoryProvider,
} from '../provider/index.ts';
import { withCallLimit } from './call-limit.ts';
import { Checks } from './checks.ts';
import { withLastKnown, type ImageObserver } from './last-known.ts';
import { Retirement } from './retirement.ts';
import { Silence } from './silence.ts';
import { withCallsTold, type CallListener } from './told-calls.ts';

type ProviderName = Region['spec']['provider'];

/** The provider of a region: a catalogue only, or a cloud. */
export type Offer = (
  | { readonly tier: 'inventory'; readonly provider: InventoryProvider }
  | {
      readonly tier: 'cloud';
      readonly provider: CloudProvider;
      /** Does some work, and notes the changes that the cloud made during it, where the cloud numbers its calls. */
      readonly noting?: <T>(note: (change: CloudChange) => void, work: () => Promise<T>) => Promise<T>;
    }
) & {
  /** Tries everything that the provider needs from its cloud, and leaves nothing there. */
  readonly check?: () => Promise<readonly Check[]>;
  /** Asks the cloud whether it answers, and returns the reason if it does not. */
  readonly outage?: () => Promise<string | undefined>;
  /** Closes its connections. A later call opens new ones. */
  readonly close?: () => Promise<void>;
};

/** Creates the providers of each region type. Types that a deployment does not support are missing. */
export type ProviderFactories = Readonly<Partial<Record<ProviderName, (region: Region) => Offer>>>;

interface Made {
  readonly version: string;
  readonly offer: Offer;
  /** Not limited as other calls are: an operator waits for it. */
  readonly check: (() => Promise<readonly Check[]>) | undefined;
  readonly retirement: Retirement;
}

/** The providers of the regions, one for each. A provider is created again when an operator changes its region. */
export class Providers {
  readonly #store: Store;
  readonly #world: World;
  readonly #factories: ProviderFactories;
  readonly #offers = new Map<string, Made>();
  /** By region, so that a change of the region does not reset the number of calls in progress. */
  readonly #turns = new Map<string, Turns>();
  readonly #calls: number;
  readonly #checks: Checks;
  readonly #observe: ImageObserver | undefined;
  readonly #tell: CallListener;

  /**
   * `calls` is the maximum number of concurrent calls of a region. `observe` is called with the images of each
   * catalogue that is read, `tell` with each change that a cloud made or refused.
   */
  constructor(
    { store, world }: { readonly store: Store; readonly world: World },
    factories: ProviderFactories,
    calls = defaultConfiguration.providerCalls,
    observe?: ImageObserver,
    tell: CallListener = () => undefined,
  ) {
    this.#store = store;
    this.#world = world;
    this.#factories = factories;
    this.#calls = calls;
    this.#checks = new Checks(world);
    this.#observe = observe;
    this.#tell = tell;
  }

  supports(type: ProviderName): boolean {
    return this.#factories[type] !== undefined;
  }

  inventory(region: Region): InventoryProvider {
    return this.#offer(region).provider;
  }

  /** Refuses a region in which nothing can be created. */
  cloud(region: Region): CloudProvider {
    const offer = this.#offer(region);
    if (offer.tier === 'cloud') return offer.provider;
    throw new Problem(
      'invalid_request',
      `region ${region.metadata.labels?.[labels.name] ?? region.metadata.name} has the type ${region.spec.provider}, which offers flavors only: choose another region`,
    );
  }

  /** Refuses a region whose provider needs nothing of its cloud that can be tried. */
  assertCheckable(region: Region): void {
    if (this.#made(region).check) return;
    throw new Problem(
      'invalid_request',
      `region ${region.metadata.name} has the type ${region.spec.provider}: only regions of the type openstack can be checked`,
    );
  }

  /** Tries what the provider of a region needs from its cloud. */
  async check(region: Region): Promise<readonly Check[]> {
    const { check } = this.#made(region);
    return check ? this.#checks.of(region.metadata.name, check) : [];
  }

  /** Why the cloud of a region does not answer now; undefined if it does. A slow cloud counts as one that does not. */
  async outage(region: Region): Promise<string | undefined> {
    const { outage } = this.#offer(region);
    if (!outage) return undefined;
    return new Promise((resolve, reject) => {
      const cancel = this.#world.after(waits.explainedCloud_ms, () => {
        resolve(`the cloud of this region has not answered for ${waits.explainedCloud_ms / 1000} seconds`);
      });
      outage().then(resolve, reject).finally(cancel);
    });
  }

  /** For a region that was deleted. */
  forget(regionId: string): void {
    this.#offers.get(regionId)?.retirement.retire();
    this.#offers.delete(regionId);
    this.#turns.delete(regionId);
  }

  /** For controllers, which know a region by its id. They wait for a region that does not exist. */
  async cloudOf(regionId: string): Promise<CloudProvider> {
    const region = await getKnown(this.#store, Region, regionId);
    if (!region) {
      this.forget(regionId);
      throw new ProviderFailure('unavailable', `region ${regionId} is not available at the moment`);
    }
    return this.cloud(region);
  }

  #offer(region: Region): Offer {
    return this.#made(region).offer;
  }

  #made(region: Region): Made {
    const { name, uid, generation } = region.metadata;
    const version = `${uid}/${generation}`;
    const known = this.#offers.get(name);
    if (known?.version === version) return known;
    const factory = this.#factories[region.spec.provider];
    if (!factory)
      throw new ProviderFailure('unavailable', `regions of the type ${region.spec.provider} are not supported here`);
    const turns = this.#turns.get(name) ?? new Turns(this.#world, this.#calls);
    this.#turns.set(name, turns);
    const plain = withCallsTold(factory(region), this.#tell);
    const retirement = new Retirement(plain.close ?? (() => Promise.resolve()));
    const offer = withLastKnown(
      withCallLimit(plain, counted(turns, retirement), new Silence(this.#world)),
      this.#world,
      (images) => this.#observe?.(name, images),
    );
    const { check: plainCheck } = plain;
    const check = plainCheck && (() => retirement.during(plainCheck));
    const made = { version, offer, check, retirement };
    known?.retirement.retire();
    this.#offers.set(name, made);
    return made;
  }
}

function counted(turns: Turns, retirement: Retirement): Pick<Turns, 'take'> {
  return {
    take: async (caller) => {
      const endTurn = await turns.take(caller);
      const endCall = retirement.begin();
      return () => {
        endTurn();
        endCall();
      };
    },
  };
}
