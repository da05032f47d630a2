import type { GetOptions } from '@unikorn/core/store';

import type { UserDirectory } from '../access/index.ts';
import { normaliseSubject, type User } from '../kinds/index.ts';
import type { Realm } from './realm.ts';

/** The user of a login, and who vouched for the user. */
export interface Account {
  readonly subject: string;
  /** The organization whose own login provider let the user in; absent for a password or a provider of the platform. */
  readonly vouchedBy?: string | undefined;
}

/** Subjects are lower case, so the prefix cannot be part of a subject. */
const mark = '#VOUCHED-BY:';

/** The account id in sessions, grants, codes and tokens. It includes the organization that vouched for the account. */
export function accountIdOf({ subject, vouchedBy }: Account): string {
  const plain = normaliseSubject(subject);
  return vouchedBy === undefined ? plain : `${plain}${mark}${vouchedBy}`;
}

export function parseAccountId(accountId: string): Account {
  const at = accountId.lastIndexOf(mark);
  return at < 0
    ? { subject: accountId }
    : { subject: accountId.slice(0, at), vouchedBy: accountId.slice(at + mark.length) };
}

/** A user who may log in. */
export interface Holder {
  readonly user: User;
  /** The organizations in which the login is valid. */
  readonly organizationIds: readonly string[];
}

/**
 * Whether an account is still valid. Unless the caller accepts an older answer, a change after the login is effective
 * at the next use.
 */
export class Accounts {
  readonly #users: UserDirectory;
  readonly #realm: Realm;

  constructor(users: UserDirectory, realm: Realm) {
    this.#users = users;
    this.#realm = realm;
  }

  /** Undefined if the user may not log in, or the organization that vouched for the user may no longer do so. */
  async find(accountId: string, options?: GetOptions): Promise<Holder | undefined> {
    const { subject, vouchedBy } = parseAccountId(accountId);
    const user = await this.#users.find(subject, options);
    if (user?.spec.state !== 'active' || user.metadata.deletionTimestamp !== undefined) return undefined;
    if (vouchedBy === undefined) return { user, organizationIds: await this.#realm.organizationIds(subject) };
    return (await this.#realm.mayVouch(vouchedBy, subject)) ? { user, organizationIds: [vouchedBy] } : undefined;
  }
}
