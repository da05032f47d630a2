import { Problem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';

import type { UserDirectory } from '../../access/index.ts';
import { membershipIdOf, OrganizationUser } from '../../kinds/index.ts';
import type { OAuth2Artifact } from '../../kinds/oauth2.ts';
import { accountIdOf, parseAccountId } from '../account.ts';
import type { Artifacts } from '../artifacts.ts';
import type { PasswordHolder, Passwords } from './passwords.ts';
import type { LoginThrottle } from './throttle.ts';

export interface CredentialsOptions {
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly artifacts: Artifacts;
  readonly passwords: Passwords;
  readonly users: UserDirectory;
  readonly throttle: LoginThrottle;
}

/** Changes of passwords. Every change ends the sessions of the old password. */
export class CredentialChanges {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /** A user changes their own password. The current session stays; all other sessions of the account end. */
  async change(token: string, current: string, next: string): Promise<void> {
    const { artifacts, passwords, throttle } = this.#options;
    const session = await artifacts.look('AccessToken', token);
    if (session?.spec.subject === undefined)
      throw new Problem('forbidden', 'only a user can change their own password; service accounts have no password');
    const { subject, vouchedBy } = parseAccountId(session.spec.subject);
    const holder = await this.#holder(subject, vouchedBy);
    if (!holder || !(await passwords.has(holder)))
      throw new Problem(
        'unprocessable_content',
        'you have no password here, because you log in through another provider',
      );
    passwords.demandGood(next);
    const wait_ms = await throttle.attempt(subject, `change ${subject}`);
    if (wait_ms > 0)
      throw new Problem('forbidden', `too many attempts: try again in ${Math.ceil(wait_ms / 1000)} seconds`);
    const known = await passwords.verify(subject, current);
    if (!known || known.vouchedBy !== vouchedBy) throw new Problem('forbidden', 'the current password is wrong');
    await throttle.succeeded(subject, `change ${subject}`);
    await this.#replace(holder, session.spec.subject, next, session);
  }

  /** An operator sets the password of a user. */
  async set(subject: string, password: string): Promise<void> {
    const user = await this.#options.users.find(subject);
    if (!user) throw new Problem('not_found', 'this user does not exist');
    await this.#replace(user, accountIdOf({ subject }), password);
  }

  /** An invited user sets the password of the membership. */
  async setFor(membership: OrganizationUser, password: string): Promise<void> {
    const vouchedBy = membership.metadata.labels?.[labels.organization];
    await this.#replace(membership, accountIdOf({ subject: membership.spec.subject, vouchedBy }), password);
  }

  async #replace(holder: PasswordHolder, accountId: string, password: string, kept?: OAuth2Artifact): Promise<void> {
    const { artifacts, passwords, telemetry } = this.#options;
    await passwords.set(holder, password);
    const ended = await artifacts.endAccount(accountId, kept);
    telemetry.log.info({ holder: holder.metadata.name, ended }, 'a password was set');
  }

  async #holder(subject: string, vouchedBy: string | undefined): Promise<PasswordHolder | undefined> {
    const { store, users } = this.#options;
    const user = await users.find(subject);
    return !user || vouchedBy === undefined
      ? user
      : store.get(OrganizationUser, membershipIdOf(vouchedBy, user.metadata.name));
  }
}
