import type { SpecOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { Held } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';

/** A resource that an instance uses, or a project that it protects. */
export type Used = Held | { readonly what: 'project'; readonly id: string };

/** A used resource, and whether the instance protects it. */
export interface Hold {
  readonly used: Used;
  readonly protects: boolean;
}

/** The part of an instance that determines its references. */
export interface Holding {
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: SpecOf<typeof ComputeInstance>;
}

/**
 * The references of an instance while it exists: its network, its security groups and its authority. While it is
 * protected, it protects its network and its project.
 */
export function holdsOf({ labels: carried, spec }: Holding): readonly Hold[] {
  const { networking, sshCertificateAuthorityId, deletionProtection: protects = false } = spec;
  const { [labels.network]: network, [labels.project]: project } = carried;
  return [
    ...(network === undefined ? [] : [{ used: { what: 'network', id: network }, protects } as const]),
    ...(networking?.securityGroupIDs ?? []).map(
      (id) => ({ used: { what: 'securityGroup', id }, protects: false }) as const,
    ),
    ...(sshCertificateAuthorityId === undefined
      ? []
      : [{ used: { what: 'sshCertificateAuthority', id: sshCertificateAuthorityId }, protects: false } as const]),
    ...(protects && project !== undefined ? [{ used: { what: 'project', id: project }, protects } as const] : []),
  ];
}

export function isSame(one: Used, other: Used): boolean {
  return one.what === other.what && one.id === other.id;
}

/** The references that must be stored before a change: new ones, and ones that become protecting. */
export function newHolds(before: Holding | undefined, after: Holding): readonly Hold[] {
  const held = before ? holdsOf(before) : [];
  return holdsOf(after).filter(
    ({ used, protects }) => !held.some((other) => isSame(other.used, used) && (other.protects || !protects)),
  );
}

export function isProtected({ spec }: Pick<Holding, 'spec'>): boolean {
  return spec.deletionProtection ?? false;
}

/** The readable name of an instance as the user of a resource. */
export function userNameOf({ labels: carried }: Pick<Holding, 'labels'>): string {
  return `instance ${carried[labels.name] ?? ''}`.trim();
}
