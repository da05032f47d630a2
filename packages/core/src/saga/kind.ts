import { Type } from 'typebox';

import { defineKind, type Resource } from '../kinds/index.ts';

/** The label with the name of the saga, such as `compute.instance.create`. */
export const sagaLabel = 'core.unikorn-cloud.org/saga';

/** A JSON object. The saga's own schemas describe its fields. */
const json = Type.Unsafe<Record<string, unknown>>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

/** `stuck`: it needs an operator, because an undo keeps failing or no running release knows the saga. */
export const SagaPhase = Type.Union([Type.Literal('running'), Type.Literal('unwinding'), Type.Literal('stuck')]);

/**
 * The durable record of one run of a saga. It exists as long as the run.
 *
 * The input is in the spec, because a create takes no status and the start must cost one write. The progress is in the
 * status. A record without a status is a run that has recorded nothing yet.
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
    /** The process that runs it. */
    holder: Type.String(),
    /** Increases with every takeover. A process that writes with an older term has lost the saga. */
    term: Type.Integer({ minimum: 1 }),
  }),
  status: {
    phase: Type.Optional(SagaPhase),
    /** The outputs of the steps, by step. */
    outputs: Type.Optional(json),
    /** The step that failed. Once it is set, the saga is only undone. */
    failedStep: Type.Optional(Type.String()),
    /** The step whose undo has not succeeded yet. */
    undo: Type.Optional(
      Type.Object({ step: Type.String(), attempts: Type.Integer({ minimum: 1 }), nextAttempt: Type.String() }),
    ),
    /** The last error, as a message without internal details. */
    error: Type.Optional(Type.String()),
    /** Only written to change the record during a long step: other processes see that the holder is alive. */
    renewedAt: Type.Optional(Type.String()),
  },
  indexedLabels: [sagaLabel],
  immutable: ['/spec/saga', '/spec/input'],
});

export type SagaRecord = Resource<typeof Saga>;
export type SagaStatus = NonNullable<SagaRecord['status']>;
