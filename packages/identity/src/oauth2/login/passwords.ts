import { isProblem, Problem } from '@unikorn/core/errors';
import { ownedBy } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import type { UserDirectory } from '../../access/directory.ts';
import type { User } from '../../kinds/index.ts';
import { UserPassword } from '../../kinds/oauth2.ts';
import { hashPassword, isOutdated, isPassword, saltBytes, type Cost, type PasswordHash } from './password.ts';

/** Below it passwords can be guessed, above it they only cost time to hash. */
const lengths = { minimum: 12, maximum: 256 };

const generatedBytes = 18;

export interface PasswordsOptions {
  readonly store: Store;
  readonly world: World;
  readonly users: UserDirectory;
  readonly cost: Cost;
}

/** Who knows whose password. */
export class Passwords {
  readonly #store: Store;
  readonly #world: World;
  readonly #users: UserDirectory;
  readonly #cost: Cost;
  /** Hashed against for people who have no password, so that they take as long to refuse as those who do. */
  readonly #nobodys: Promise<PasswordHash>;

  constructor({ store, world, users, cost }: PasswordsOptions) {
    this.#store = store;
    this.#world = world;
    this.#users = users;
    this.#cost = cost;
    this.#nobodys = hashPassword(this.generate(), this.#salt(), cost);
  }

  /** The person whose password this is, if they may log in. */
  async verify(subject: string, password: string): Promise<User | undefined> {
    const user = await this.#users.find(subject);
    const stored = user && (await this.#of(user));
    const matches = await isPassword(password.slice(0, lengths.maximum), stored?.spec ?? (await this.#nobodys));
    if (!user || !stored || !matches || user.spec.state !== 'active' || password.length > lengths.maximum) return undefined;
    if (isOutdated(stored.spec, this.#cost)) await this.#write(user, password);
    return user;
  }

  async has(user: User): Promise<boolean> {
    return (await this.#of(user)) !== undefined;
  }

  async set(user: User, password: string): Promise<void> {
    if (password.length < lengths.minimum || password.length > lengths.maximum) {
      throw new Problem('invalid_request', `the password must have ${lengths.minimum} to ${lengths.maximum} characters`);
    }
    await this.#write(user, password);
  }

  /** One that nobody will guess. */
  generate(): string {
    return Buffer.from(this.#world.randomBytes(generatedBytes)).toString('base64url');
  }

  #salt(): Uint8Array {
    return this.#world.randomBytes(saltBytes);
  }

  /** A person who was deleted and made again is somebody else, and has no password. */
  async #of({ metadata: { name, uid } }: User): Promise<UserPassword | undefined> {
    const stored = await this.#store.get(UserPassword, name);
    return stored?.metadata.ownerReferences?.some((owner) => owner.uid === uid) ? stored : undefined;
  }

  async #write(user: User, password: string): Promise<void> {
    const { name } = user.metadata;
    const spec = await hashPassword(password, this.#salt(), this.#cost);
    const ownerReferences = [ownedBy(user)];
    try {
      await this.#store.create(UserPassword, { metadata: { name, ownerReferences }, spec });
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
      await modify(this.#store, UserPassword, name, (current) => ({ metadata: { ...current.metadata, ownerReferences }, spec }));
    }
  }
}
