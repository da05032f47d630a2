import type { GetOptions, Store } from '@unikorn/core/store';

import { User, userIdOf } from '../kinds/index.ts';

/** The queries of a login about users. */
export interface UserDirectory {
  /** The user with this subject in any spelling, with their state. */
  find(subject: string, options?: GetOptions): Promise<User | undefined>;
}

export function userDirectory(store: Store): UserDirectory {
  return { find: (subject, options) => store.get(User, userIdOf(subject), options) };
}
