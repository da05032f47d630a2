import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { OrganizationUser, User, userIdOf } from '../kinds/index.ts';

/** What a login asks about people. */
export interface UserDirectory {
  /** The person of this subject in whatever spelling, with their state. */
  find(subject: string): Promise<User | undefined>;
  /** The organizations in which the person is an active member. */
  organizationIds(userId: string): Promise<readonly string[]>;
}

export function userDirectory(store: Store): UserDirectory {
  return {
    find: (subject) => store.get(User, userIdOf(subject)),
    async organizationIds(userId) {
      const { items } = await store.list(OrganizationUser, { selector: matching({ [labels.user]: userId }) });
      return items.filter(({ spec }) => spec.state === 'active').flatMap(({ metadata }) => metadata.labels?.[labels.organization] ?? []);
    },
  };
}
