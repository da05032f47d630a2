import { type Endpoint, type Operation } from '@unikorn/core/access';
import { deterministicId } from '@unikorn/core/resource';

import { contractRoleRows, foreignServices, protectedRoles, roleColumns, strictRoleRows } from './built-in-roles.ts';

/** The permissions of a role, by scope. */
export interface RoleScopes {
  readonly global: readonly Endpoint[];
  readonly organization: readonly Endpoint[];
  readonly project: readonly Endpoint[];
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Only the configuration may bind it. */
  readonly protected: boolean;
  readonly scopes: RoleScopes;
}

/** A role that the configuration adds to the built-in ones. */
export interface ExtraRole {
  readonly name: string;
  readonly description?: string;
  readonly protected?: boolean;
  readonly scopes: Partial<RoleScopes>;
}

const roleNamespace = '0f2d3c64-52a4-4a35-8b0f-6a7c1a3c9c11';

/**
 * Derived from the name, so that it is the same in every deployment.
 *
 * @example { spec: { roleIDs: [roleIdOf('administrator')] } }
 */
export function roleIdOf(name: string): string {
  return deterministicId(roleNamespace, name);
}

const letters: Readonly<Record<string, Operation>> = { C: 'create', R: 'read', U: 'update', D: 'delete' };

function operationsOf(word: string): readonly Operation[] {
  return word.split('').flatMap((letter) => letters[letter] ?? []);
}

type Grant = readonly [scope: keyof RoleScopes, endpoint: Endpoint];

function grantOf(name: string, cell: string): readonly Grant[] {
  const [prefix, word] = cell.includes(':') ? cell.split(':') : ['', cell];
  const operations = operationsOf(word ?? '');
  if (operations.length === 0) return [];
  return [[prefix === 'o' ? 'organization' : prefix === 'p' ? 'project' : 'global', { name, operations }]];
}

function scopesOf(grants: readonly Grant[]): RoleScopes {
  const of = (scope: keyof RoleScopes) =>
    grants.filter(([granted]) => granted === scope).map(([, endpoint]) => endpoint);
  return { global: of('global'), organization: of('organization'), project: of('project') };
}

function builtIn(name: string, grants: readonly Grant[]): Role {
  return { id: roleIdOf(name), name, protected: protectedRoles.has(name), scopes: scopesOf(grants) };
}

/** The roles that every deployment has. */
export const builtInRoles: readonly Role[] = [
  ...roleColumns.map((name, column) =>
    builtIn(
      name,
      [...contractRoleRows, ...strictRoleRows].flatMap(([endpoints, ...cells]) =>
        endpoints.flatMap((endpoint) => grantOf(endpoint, cells[column] ?? '')),
      ),
    ),
  ),
  ...Object.entries(foreignServices).map(([name, endpoints]) =>
    builtIn(
      name,
      Object.entries(endpoints).flatMap(([endpoint, cell]) => grantOf(endpoint, cell)),
    ),
  ),
];

/**
 * The roles of a deployment, in memory. They only change with the software and its configuration.
 *
 * @example const { id } = new RoleCatalogue(configuration.roles).named('administrator');
 */
export class RoleCatalogue {
  readonly #byId: ReadonlyMap<string, Role>;

  constructor(extra: readonly ExtraRole[] = []) {
    const added = extra.map((role) => ({
      protected: false,
      ...role,
      id: roleIdOf(role.name),
      scopes: { global: [], organization: [], project: [], ...role.scopes },
    }));
    const roles = [...builtInRoles, ...added];
    const names = new Set<string>();
    for (const { name } of roles) {
      if (names.has(name)) throw new Error(`the role ${name} is defined twice: rename the role in the configuration`);
      names.add(name);
    }
    this.#byId = new Map(roles.map((role) => [role.id, role]));
  }

  get(id: string): Role | undefined {
    return this.#byId.get(id);
  }

  named(name: string): Role {
    const role = this.#byId.get(roleIdOf(name));
    if (!role) throw new Error(`there is no role ${name}: correct the configuration`);
    return role;
  }

  /** Sorted by name. */
  list(): readonly Role[] {
    return [...this.#byId.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
