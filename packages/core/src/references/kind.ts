import { Type } from 'typebox';

import { defineKind, type Resource } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';

/** The labels for finding references. */
export const referenceLabels = {
  /** The id of the used object. */
  used: 'references.unikorn-cloud.org/used-id',
  /** The id of the user. */
  user: 'references.unikorn-cloud.org/user-id',
  /** Only on a reference that protects: the organization that it protects. */
  protectsIn: 'references.unikorn-cloud.org/protects-in',
} as const;

/** Maximum length of the readable name of a user. Display names have 63 characters. */
export const userNameLength = 128;

/**
 * Records that one object uses another. There is one record for each pair, in the store of the used object, so that the
 * used object does not grow and its users do not write to it. The used object is not removed while it has references.
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
     * The user is protected: a request must not delete the used object either, even if the user would be deleted with
     * it.
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
