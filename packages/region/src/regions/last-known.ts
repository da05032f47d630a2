import { isProviderFailure, type CloudProvider, type Image, type ImageQuery, type InventoryProvider } from '../provider/index.ts';
import type { Offer } from './providers.ts';

/** More queries than organizations ask in an hour; each remembers a list of some kilobytes. */
const remembered = 1_000;

/**
 * The same provider, whose catalogue is still known while it cannot be asked: what a region offers changes seldom, and who
 * chooses from it need not be turned away by an outage. What can be asked is asked every time.
 */
export function withLastKnown(offer: Offer): Offer {
  const flavors = lastKnown(() => offer.provider.flavors());
  if (offer.tier === 'inventory') return { tier: 'inventory', provider: { ...inventoryOf(offer.provider), flavors } };
  return { tier: 'cloud', provider: { ...offer.provider, flavors, images: imagesOf(offer.provider) } };
}

function inventoryOf(provider: InventoryProvider): InventoryProvider {
  return { flavors: () => provider.flavors(), volumeClasses: () => provider.volumeClasses() };
}

function imagesOf({ images }: CloudProvider): CloudProvider['images'] {
  const lists = new Map<string, (query?: ImageQuery) => Promise<readonly Image[]>>();
  return {
    list: (query) => {
      const key = JSON.stringify(query ?? {});
      const list = lists.get(key) ?? lastKnown(() => images.list(query));
      if (lists.size >= remembered) lists.clear();
      lists.set(key, list);
      return list();
    },
    import: (image, uri) => images.import(image, uri),
    remove: (id) => images.remove(id),
  };
}

/** Asks, and answers with what it was told last when there is nobody to ask. */
function lastKnown<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly answer: T } | undefined;
  return async () => {
    try {
      const answer = await ask();
      last = { answer };
      return answer;
    } catch (error) {
      if (last && isProviderFailure(error, 'transient', 'unavailable')) return last.answer;
      throw error;
    }
  };
}
