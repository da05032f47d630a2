import { isProblem, Problem } from '@unikorn/core/errors';
import { labels, ownedBy } from '@unikorn/core/resource';
import { matching, modify, type Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import type { UserDirectory } from '../../access/directory.ts';
import { OrganizationUser, type User } from '../../kinds/index.ts';
import { UserPassword } from '../../kinds/oauth2.ts';
import { limits } from '../../limits.ts';
import { hashPassword, isOutdated, isPassword, saltBytes, type Cost, type PasswordHash } from './password.ts';

/** Shorter passwords can be guessed; longer ones only cost time to hash. */
const lengths = { minimum: 12, maximum: 256 };

const generatedBytes = 18;

/** The owner of a password: a user, or one membership, for which the password is valid only in its organization. */
export type PasswordHolder = User | OrganizationUser;

/** The user of a correct password. */
export interface Known {
  readonly user: User;
  /** The organization of the invitation that the password was set with; absent for the user's own password. */
  readonly vouchedBy: string | undefined;
}

export interface PasswordsOptions {
  readonly store: Store;
  readonly world: World;
  readonly users: UserDirectory;
  readonly cost: Cost;
  /** Whether an organization may vouch for a user. */
  readonly mayVouch: (organizationId: string, subject: string) => Promise<boolean>;
}

/** Checks and sets passwords. */
export class Passwords {
  readonly #options: PasswordsOptions;
  /** Hashed for users without a password, so that a refusal takes the same time for all users. */
  readonly #nobodys: Promise<PasswordHash>;

  constructor(options: PasswordsOptions) {
    this.#options = options;
    this.#nobodys = hashPassword(this.generate(), this.#salt(), options.cost);
  }

  /** The user of this password if they may log in, and who vouches for them. */
  async verify(subject: string, password: string): Promise<Known | undefined> {
    const user = await this.#options.users.find(subject);
    const candidates = user ? await this.#candidates(user) : [];
    const typed = password.slice(0, lengths.maximum);
    if (candidates.length === 0) await isPassword(typed, await this.#nobodys);
    for (const { holder, stored, vouchedBy } of candidates) {
      if (!(await isPassword(typed, stored.spec))) continue;
      if (user?.spec.state !== 'active' || password.length > lengths.maximum) return undefined;
      if (isOutdated(stored.spec, this.#options.cost)) await this.#write(holder, password);
      return { user, vouchedBy };
    }
    return undefined;
  }

  async has(holder: PasswordHolder): Promise<boolean> {
    return (await this.#of(holder)) !== undefined;
  }

  async set(holder: PasswordHolder, password: string): Promise<void> {
    this.demandGood(password);
    await this.#write(holder, password);
  }

  demandGood(password: string): void {
    if (password.length < lengths.minimum || password.length > lengths.maximum) {
      throw new Problem(
        'invalid_request',
        `the password must have ${lengths.minimum} to ${lengths.maximum} characters`,
      );
    }
  }

  /** A random password that cannot be guessed. */
  generate(): string {
    return Buffer.from(this.#options.world.randomBytes(generatedBytes)).toString('base64url');
  }

  #salt(): Uint8Array {
    return this.#options.world.randomBytes(saltBytes);
  }

  /** The user's own password first, then those of memberships whose organization may vouch for the user. */
  async #candidates(user: User) {
    const { store, mayVouch } = this.#options;
    const own = await this.#of(user);
    const candidates: {
      readonly holder: PasswordHolder;
      readonly stored: UserPassword;
      readonly vouchedBy: string | undefined;
    }[] = own ? [{ holder: user, stored: own, vouchedBy: undefined }] : [];
    const memberships = await store.list(OrganizationUser, {
      selector: matching({ [labels.user]: user.metadata.name }),
      limit: limits.passwordMemberships,
    });
    for (const membership of memberships.items) {
      const vouchedBy = membership.metadata.labels?.[labels.organization] ?? '';
      const stored = await this.#of(membership);
      if (stored && (await mayVouch(vouchedBy, user.spec.subject)))
        candidates.push({ holder: membership, stored, vouchedBy });
    }
    return candidates;
  }

  /** A user who was deleted and created again is another user, and has no password. */
  async #of({ metadata: { name, uid } }: PasswordHolder): Promise<UserPassword | undefined> {
    const stored = await this.#options.store.get(UserPassword, name);
    return stored?.metadata.ownerReferences?.some((owner) => owner.uid === uid) ? stored : undefined;
  }

  async #write(holder: PasswordHolder, password: string): Promise<void> {
    const { store, cost } = this.#options;
    const { name } = holder.metadata;
    const spec = await hashPassword(password, this.#salt(), cost);
    const ownerReferences = [ownedBy(holder)];
    try {
      await store.create(UserPassword, { metadata: { name, ownerReferences }, spec });
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
      await modify(store, UserPassword, name, (current) => ({
        metadata: { ...current.metadata, ownerReferences },
        spec,
      }));
    }
  }
}
