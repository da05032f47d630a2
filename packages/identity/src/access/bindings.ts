import type { WatchCache } from '@unikorn/core/controller';

import { globalBindingIdOf, normaliseSubject, type GlobalRoleBinding } from '../kinds/index.ts';
import type { Role, RoleCatalogue } from './roles.ts';

/** The platform-wide roles of a subject, and their source. */
export interface Bound {
  readonly subject: string;
  readonly roles: readonly Role[];
  readonly source: 'configuration' | 'granted';
}

/**
 * Platform-wide roles, by the exact subject of a user or the id of a service account: those of the configuration, and
 * those granted through the API.
 */
export class GlobalBindings {
  readonly #catalogue: RoleCatalogue;
  readonly #configured: ReadonlyMap<string, readonly Role[]>;
  readonly #granted: WatchCache<typeof GlobalRoleBinding> | undefined;
  /**
   * The roles of a binding. Access lists are cached by the list of roles, so the same binding must always return the
   * same list.
   */
  readonly #merged = new WeakMap<GlobalRoleBinding, readonly Role[]>();

  /**
   * Throws if a role does not exist, so that a mistake in the configuration is found at the start and not at a login.
   */
  constructor(
    roles: RoleCatalogue,
    configured: Readonly<Record<string, readonly string[]>>,
    granted?: WatchCache<typeof GlobalRoleBinding>,
  ) {
    this.#catalogue = roles;
    this.#configured = new Map(
      Object.entries(configured).map(([subject, names]) => [
        normaliseSubject(subject),
        names.map((name) => roles.named(name)),
      ]),
    );
    this.#granted = granted;
  }

  of(subject: string): readonly Role[] {
    const configured = this.configured(subject);
    const binding = this.#granted?.get(globalBindingIdOf(subject));
    if (!binding) return configured;
    const merged = this.#merged.get(binding) ?? [...new Set([...configured, ...this.#known(binding)])];
    this.#merged.set(binding, merged);
    return merged;
  }

  configured(subject: string): readonly Role[] {
    return this.#configured.get(subject) ?? [];
  }

  /** All subjects with platform-wide roles, sorted by subject. */
  list(granted: readonly GlobalRoleBinding[]): readonly Bound[] {
    const configured = [...this.#configured]
      .filter(([, roles]) => roles.length > 0)
      .map(([subject, roles]) => ({ subject, roles, source: 'configuration' as const }));
    const added = granted.map((binding) => ({
      subject: binding.spec.subject,
      roles: this.#known(binding),
      source: 'granted' as const,
    }));
    return [...configured, ...added].sort((a, b) => (a.subject < b.subject ? -1 : 1));
  }

  /** Without roles that the current configuration no longer defines: they allow nothing. */
  #known({ spec }: GlobalRoleBinding): readonly Role[] {
    const names = new Set(spec.roles);
    return this.#catalogue.list().filter(({ name }) => names.has(name));
  }
}
