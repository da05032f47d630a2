export type { AdoptingStore, StoredObject } from './adopting.ts';
export { getKnown } from './known.ts';
export { modify, modifyStatus } from './modify.ts';
export { remaining } from './remaining.ts';
export { matches, matching, type Requirement, type Selector } from './selector.ts';
export type {
  Change,
  DeleteOptions,
  GetOptions,
  ListQuery,
  Page,
  ReadOptions,
  StatusChange,
  Store,
  WatchEvent,
  WatchQuery,
} from './store.ts';
export { compareVersions } from './version.ts';
