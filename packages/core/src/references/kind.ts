import { Type } from 'typebox';

import { defineKind, type Resource } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';

/** The labels for finding references. */
export const referenceLabels = {
  /** The id of what is used. */
  used: 'references.unikorn-cloud.org/used-id',
  /** The id of the user. */
  user: 'references.unikorn-cloud.org/user-id',
  /** Only on one that protects: the organization in which it does. */
  protectsIn: 'references.unikorn-cloud.org/protects-in',
} as const;

/** The longest phrase that a user may be called by; display names have 63 characters. */
export const userNameLength = 128;

/**
 * Says that one object uses another. It lives beside what is used, one for each pair, so that nothing grows in the used
 * object and its users do not write to it. What is used is not removed before its references are.
 */
export const ReferenceRecord = defineKind({
  group: 'core.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Reference',
  plural: 'references',
  realisation: 'static',
  spec: Type.Object({
    used: Type.Object({ kind: Type.String(), id: Type.String() }),
    /** `<plural>.<group>/<id>` of the user, as on the wire. */
    reference: Type.String(),
    /** The readable name of the user, such as `instance web-1`. */
    name: Type.Optional(Type.String({ maxLength: userNameLength })),
    /**
     * The user is protected: what it uses must not be deleted by request either, also where the user would be deleted
     * with it.
     */
    protects: Type.Optional(Type.Boolean()),
  }),
  status: {},
  indexedLabels: [referenceLabels.used, referenceLabels.user, referenceLabels.protectsIn],
  immutable: [
    '/spec/used',
    '/spec/reference',
    ...[labels.organization, labels.project].map((label) => `/metadata/labels/${label.replaceAll('/', '~1')}`),
  ],
});
export type ReferenceRecord = Resource<typeof ReferenceRecord>;
