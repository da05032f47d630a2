import type { Kind } from '../kinds/index.ts';
import type { Store } from '../store/index.ts';

/** A call to a store. */
export interface StoreCall {
  readonly verb: 'get' | 'list' | 'count' | 'create' | 'update' | 'updateStatus' | 'delete';
  readonly kind: Kind;
  /** The object that will be stored. */
  readonly written?: unknown;
}

export type Around = <T>(call: StoreCall, happen: () => Promise<T>) => Promise<T>;

/**
 * A store with a function between it and its user, for example to simulate a network that fails or a process that dies.
 *
 * @example const store = interpose(memory, (call, happen) => (isWrite(call) ? Promise.reject(new Error('lost')) : happen()));
 */
export function interpose(
  store: Store,
  around: Around,
  { sole = store.sole }: { readonly sole?: boolean } = {},
): Store {
  return {
    sole,
    get: (kind, name, options) => around({ verb: 'get', kind }, () => store.get(kind, name, options)),
    list: (kind, query) => around({ verb: 'list', kind }, () => store.list(kind, query)),
    countUpTo: (kind, selector, most, options) =>
      around({ verb: 'count', kind }, () => store.countUpTo(kind, selector, most, options)),
    create: (kind, draft) => around({ verb: 'create', kind, written: draft }, () => store.create(kind, draft)),
    update: (kind, change) => around({ verb: 'update', kind, written: change }, () => store.update(kind, change)),
    updateStatus: (kind, change) =>
      around({ verb: 'updateStatus', kind, written: change }, () => store.updateStatus(kind, change)),
    delete: (kind, name, options) => around({ verb: 'delete', kind }, () => store.delete(kind, name, options)),
    watch: (kind, query) => store.watch(kind, query),
    probe: () => store.probe(),
    close: () => store.close(),
  };
}

export function isWrite({ verb }: StoreCall): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'count';
}
