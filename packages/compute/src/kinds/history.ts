import { Type, type Static } from 'typebox';

import { defineKind, type DeepReadonly, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

/** What histories are found by, and what they are cleared away by. */
export const historyLabels = {
  instance: 'compute.unikorn-cloud.org/instance-id',
  day: 'compute.unikorn-cloud.org/day',
} as const;

const Entry = Type.Object({
  time: Type.String(),
  /** Which life of the instance: one of the same name in the same network has the same id again. */
  uid: Type.Optional(Type.String()),
  type: Type.Enum(['intent', 'plan', 'transition', 'saga', 'call', 'finding']),
  /** What was asked for, moved or done, such as `update`, `power` or `createServer`. */
  action: Type.String(),
  outcome: Type.String(),
  actor: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  changes: Type.Optional(Type.Array(Type.Object({ field: Type.String(), action: Type.String() }))),
  traceId: Type.Optional(Type.String()),
  /** How often it happened in a row, when that was more than once, and when last. */
  times: Type.Optional(Type.Integer({ minimum: 2 })),
  lastTime: Type.Optional(Type.String()),
});
export type HistoryEntry = DeepReadonly<Static<typeof Entry>>;

const kept = [historyLabels.instance, historyLabels.day, labels.organization, labels.project];

const immutable = kept.map((label) => `/metadata/labels/${label.replaceAll('/', '~1')}`);

/**
 * A part of what happened to an instance on one day. What is written together is one of them, and it stays as it is; when a
 * day has many, they are put together once. It belongs to nobody, so that it is still there when the instance is not.
 */
export const InstanceHistory = defineKind({
  group: 'compute.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'InstanceHistory',
  plural: 'instancehistories',
  realisation: 'static',
  spec: Type.Object({
    entries: Type.Array(Entry),
    /** How many gave way to later ones, because the day was full. */
    dropped: Type.Optional(Type.Integer({ minimum: 1 })),
    /** The names of the parts that this one was put together from; they count no longer, also while they are still there. */
    replaces: Type.Optional(Type.Array(Type.String())),
  }),
  status: {},
  indexedLabels: [historyLabels.instance, historyLabels.day],
  immutable,
});

export type InstanceHistory = Resource<typeof InstanceHistory>;

/** An instance that is gone: what it was called, where it was, and the last that happened to it. It is kept for as long as its history. */
export const GoneInstance = defineKind({
  group: 'compute.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'GoneInstance',
  plural: 'goneinstances',
  realisation: 'static',
  spec: Type.Object({
    /** Which life of the instance this was. */
    uid: Type.String(),
    createdAt: Type.String(),
    deletedAt: Type.String(),
    flavorId: Type.String(),
    imageId: Type.String(),
    entries: Type.Array(Entry),
    dropped: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  status: {},
  indexedLabels: [
    historyLabels.instance,
    historyLabels.day,
    labels.name,
    labels.network,
    labels.project,
    labels.organization,
    labels.region,
  ],
  immutable,
});

export type GoneInstance = Resource<typeof GoneInstance>;
