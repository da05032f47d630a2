import { Problem } from '@unikorn/core/errors';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { referencesOf, type Reference } from '@unikorn/core/resource';

import { regionKinds } from '../kinds/index.ts';

/** As many as fit one line; who deletes these will see the next. */
const shownUsers = 5;

/**
 * Refuses to delete what others still use, and names them.
 *
 * @example refuseWhileUsed(Network, network.metadata); // network 4f… is used by server a1…: delete it first
 */
export function refuseWhileUsed(kind: Kind, metadata: Pick<Metadata, 'name' | 'finalizers'>): void {
  const users = referencesOf(metadata);
  if (users.length === 0) return;
  const remedy = users.length === 1 ? 'delete it first' : 'delete them first';
  throw new Problem('in_use', `${spoken(kind.kind)} ${metadata.name} is used by ${listed(users)}: ${remedy}`);
}

function listed(users: readonly Reference[]): string {
  const shown = users.slice(0, shownUsers).map(describe);
  const more = users.length - shown.length;
  const items = more > 0 ? [...shown, `${more} more`] : shown;
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.slice(-1).join('')}`;
}

/** Kinds of other services are named as they named themselves. */
function describe({ kind, id }: Reference): string {
  const known = regionKinds.find((candidate) => candidate.id === kind);
  return known ? `${spoken(known.kind)} ${id}` : `${kind}/${id}`;
}

/** `SSHCertificateAuthority` as people say it: ssh certificate authority. */
function spoken(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase();
}
