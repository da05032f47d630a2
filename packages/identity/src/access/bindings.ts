import { normaliseSubject } from '../kinds/index.ts';
import type { Role, RoleCatalogue } from './roles.ts';

/** Roles that the deployment's configuration binds everywhere, by the exact subject of a user or id of a service account. */
export class GlobalBindings {
  readonly #roles: ReadonlyMap<string, readonly Role[]>;

  /** Fails when a role does not exist: a mistyped configuration must not show only when somebody logs in. */
  constructor(roles: RoleCatalogue, bindings: Readonly<Record<string, readonly string[]>>) {
    this.#roles = new Map(Object.entries(bindings).map(([subject, names]) => [normaliseSubject(subject), names.map((name) => roles.named(name))]));
  }

  of(subject: string): readonly Role[] {
    return this.#roles.get(subject) ?? [];
  }
}
