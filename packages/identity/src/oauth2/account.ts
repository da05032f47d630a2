import type { UserDirectory } from '../access/index.ts';
import { normaliseSubject, type User } from '../kinds/index.ts';
import type { Realm } from './realm.ts';

/** Whom a login is for, and on whose word. */
export interface Account {
  readonly subject: string;
  /** The organization whose own provider let them in; absent when we or the deployment's providers did. */
  readonly vouchedBy?: string | undefined;
}

/** Subjects are lower case, so none can be taken for one that was vouched for. */
const mark = '#VOUCHED-BY:';

/**
 * The account id in sessions, grants, codes and tokens. It includes the login provider that vouched for the account.
 */
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

/** A person who may log in. */
export interface Holder {
  readonly user: User;
  /** Where the login counts. */
  readonly organizationIds: readonly string[];
}

/**
 * Whether an account still stands. Nothing is remembered, so that what changed since the login counts at the next use.
 */
export class Accounts {
  readonly #users: UserDirectory;
  readonly #realm: Realm;

  constructor(users: UserDirectory, realm: Realm) {
    this.#users = users;
    this.#realm = realm;
  }

  /** Undefined when the person may not log in, or the organization that vouched for them may no longer. */
  async find(accountId: string): Promise<Holder | undefined> {
    const { subject, vouchedBy } = parseAccountId(accountId);
    const user = await this.#users.find(subject);
    if (user?.spec.state !== 'active' || user.metadata.deletionTimestamp !== undefined) return undefined;
    if (vouchedBy === undefined) return { user, organizationIds: await this.#realm.organizationIds(subject) };
    return (await this.#realm.mayVouch(vouchedBy, subject)) ? { user, organizationIds: [vouchedBy] } : undefined;
  }
}
