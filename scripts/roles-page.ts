import type { Operation } from '@unikorn/core/access';
import { builtInRoles, type Role } from '@unikorn/identity';

/** Roles that users and service accounts of tenants get, and platform-wide roles. */
const shown = ['reader', 'user', 'auditor', 'administrator', 'platform-reader', 'platform-administrator'];

const letters: Readonly<Record<Operation, string>> = { create: 'C', read: 'R', update: 'U', delete: 'D' };

function cell(role: Role | undefined, endpoint: string): string {
  const scopes = role?.scopes;
  if (!scopes) return '';
  const granted = [scopes.global, scopes.organization, scopes.project]
    .flat()
    .filter(({ name }) => name === endpoint)
    .flatMap(({ operations }) => operations);
  return [...new Set(granted)].map((operation) => letters[operation]).join('');
}

export function rolesPage(notice: string): string {
  const roles = shown.map((name) => builtInRoles.find((role) => role.name === name));
  const endpoints = [
    ...new Set(
      roles.flatMap((role) =>
        role ? [role.scopes.global, role.scopes.organization, role.scopes.project].flat().map(({ name }) => name) : [],
      ),
    ),
  ].sort();
  return [
    '# Roles',
    '',
    `<!-- ${notice} -->`,
    '',
    'What each built-in role permits: C create, R read, U update, D delete. The [guide](../guides/roles.md) explains where a role applies, and how to grant it. `unikorn role get <role>` shows the same for one role.',
    '',
    `| Permission | ${shown.map((name) => `\`${name}\``).join(' | ')} |`,
    `|---|${shown.map(() => '---|').join('')}`,
    ...endpoints.map((endpoint) => `| \`${endpoint}\` | ${roles.map((role) => cell(role, endpoint)).join(' | ')} |`),
    '',
  ].join('\n');
}
