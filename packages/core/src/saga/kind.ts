import { Type } from 'typebox';

import { defineKind, type Resource } from '../kinds/index.ts';

/** Names the saga, such as `compute.instance.create`, on every record of one. */
export const sagaLabel = 'core.unikorn-cloud.org/saga';

/** A JSON object whose shape the saga's own schemas describe. */
const json = Type.Unsafe<Record<string, unknown>>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

/** `stuck`: it needs a person, because an undo keeps failing or no release in use knows the saga. */
export const SagaPhase = Type.Union([Type.Literal('running'), Type.Literal('unwinding'), Type.Literal('stuck')]);

/**
 * The durable record of one run of a saga; it exists for as long as the run does.
 *
 * The data for the start is in the spec, because a create takes no status and the start must cost one write. Everything
 * that is learned on the way is in the status. A record without a status is a run that has recorded nothing yet.
 */
export const Saga = defineKind({
  group: 'core.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Saga',
  plural: 'sagas',
  realisation: 'static',
  spec: Type.Object({
    saga: Type.String(),
    input: json,
    /** The life of the process that runs it. */
    holder: Type.String(),
    /** Moves with every takeover: whoever still writes under an older one has lost the saga. */
    term: Type.Integer({ minimum: 1 }),
  }),
  status: {
    phase: Type.Optional(SagaPhase),
    /** The outputs of the steps, by step. */
    outputs: Type.Optional(json),
    /** Where the saga turned round; once this is set it only ever unwinds. */
    failedStep: Type.Optional(Type.String()),
    /** The step whose undo has not worked yet. */
    undo: Type.Optional(
      Type.Object({ step: Type.String(), attempts: Type.Integer({ minimum: 1 }), nextAttempt: Type.String() }),
    ),
    /** The last error, as a message that everyone may read. */
    error: Type.Optional(Type.String()),
    /** Written only so that the record changes while nothing else happens: others see that its holder lives. */
    renewedAt: Type.Optional(Type.String()),
  },
  indexedLabels: [sagaLabel],
  immutable: ['/spec/saga', '/spec/input'],
});

export type SagaRecord = Resource<typeof Saga>;
export type SagaStatus = NonNullable<SagaRecord['status']>;
