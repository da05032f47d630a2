import type { Instance, InstanceUpdate } from '@unikorn/sdk';

import { defined } from '../defined.ts';

type Spec = InstanceUpdate['spec'];

/** What an instance can be without. */
type Removable = 'sshCertificateAuthorityId' | 'userData';

/** A change of the specification. What is there and undefined is removed. */
export type SpecChange = Partial<Omit<Spec, Removable>> & { readonly [Key in Removable]?: Spec[Key] | undefined };

export interface Change {
  /** An empty description removes it. */
  readonly metadata?: Partial<InstanceUpdate['metadata']>;
  readonly spec?: SpecChange;
}

/** The body of an update: everything as it is, with these changes. */
export function updateOf(instance: Instance, change: Change): InstanceUpdate {
  const { name, description, tags } = { ...instance.metadata, ...change.metadata };
  const { sshCertificateAuthorityId, userData, ...spec } = { ...instance.spec, ...change.spec };
  return {
    metadata: { name, ...defined({ description: description === '' ? undefined : description, tags }) },
    spec: { ...spec, ...defined({ sshCertificateAuthorityId, userData }) },
  };
}
