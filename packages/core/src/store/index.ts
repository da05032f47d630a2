export { modify, modifyStatus } from './modify.ts';
export { matches, matching, type Requirement, type Selector } from './selector.ts';
export type { Change, DeleteOptions, ListQuery, Page, StatusChange, Store, WatchEvent, WatchQuery } from './store.ts';
export { compareVersions } from './version.ts';
