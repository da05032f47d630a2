import { Type, type Static } from 'typebox';

import { defineKind, type DeepReadonly, type Kind, type Resource, type WritableMetadata } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';
import { modify, type ListQuery, type Store } from '../store/index.ts';

/** One entry of a history, as it is stored and as the API shows it. */
export const HistoryEntry = Type.Object({
  time: Type.String(),
  /**
   * Distinguishes objects that had the same id one after the other: an instance of the same name in the same network
   * gets the same id again.
   */
  uid: Type.Optional(Type.String()),
  type: Type.Enum(['intent', 'plan', 'transition', 'saga', 'call', 'finding']),
  /** The verb, the field that changed or the call, such as `update`, `power` or `createServer`. */
  action: Type.String(),
  outcome: Type.String(),
  actor: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  changes: Type.Optional(Type.Array(Type.Object({ field: Type.String(), action: Type.String() }))),
  traceId: Type.Optional(Type.String()),
  requestId: Type.Optional(
    Type.String({ description: 'the number of a call in the logs of the cloud, for the operator of the cloud' }),
  ),
  /** The object that was deleted first, such as `project production`, when this one is deleted with it. */
  cause: Type.Optional(
    Type.String({
      description: 'the resource that was deleted first, such as project production, when this one goes with it',
    }),
  ),
  /** How often it happened in a row, if more than once, and the last time. */
  times: Type.Optional(Type.Integer({ minimum: 2 })),
  lastTime: Type.Optional(Type.String()),
});
export type HistoryEntry = DeepReadonly<Static<typeof HistoryEntry>>;

/** An event to record. The time and the uid are added unless they are given. */
export type HistoryEvent = Omit<HistoryEntry, 'time'> & { readonly time?: string };

/** The labels that select histories. */
export interface HistoryLabels {
  /** The id of the object that the history is about. */
  readonly subject: string;
  /** The day on which it was written. Old history is removed by day. */
  readonly day: string;
}

export interface HistoryKindDeclaration {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly labels: HistoryLabels;
}

/** Labels of a part that never change: they decide who may read it after the object is deleted. */
function immutableLabels({ subject, day }: HistoryLabels): readonly string[] {
  return [subject, day, labels.organization, labels.project].map(
    (label) => `/metadata/labels/${label.replaceAll('/', '~1')}`,
  );
}

/**
 * A part of the history of an object: the entries that were written together. A part is never changed, but when a day
 * has many parts they are merged into one. A part has no owner, so that it is kept after the object is deleted.
 *
 * @example
 * const { parts, gone } = { parts: defineHistoryKind(declaration), gone: defineGoneKind(other) };
 */
export function defineHistoryKind({ group, kind, plural, labels: found }: HistoryKindDeclaration) {
  return defineKind({
    group,
    version: 'v1alpha1',
    kind,
    plural,
    realisation: 'static',
    archive: true,
    spec: Type.Object({
      entries: Type.Array(HistoryEntry),
      /** How many entries were removed to make room for later ones. */
      dropped: Type.Optional(Type.Integer({ minimum: 1 })),
      /** The names of the parts that were merged into this one. They are ignored, also while they still exist. */
      replaces: Type.Optional(Type.Array(Type.String())),
    }),
    status: {},
    indexedLabels: [found.subject, found.day, labels.project, labels.organization],
    immutable: immutableLabels(found),
  });
}

export type HistoryKind = ReturnType<typeof defineHistoryKind>;
export type HistoryPart = Resource<HistoryKind>;

/** The record of a deleted object, with the last entries of its history. It is kept as long as the history. */
export function defineGoneKind({ group, kind, plural, labels: found }: HistoryKindDeclaration) {
  return defineKind({
    group,
    version: 'v1alpha1',
    kind,
    plural,
    realisation: 'static',
    archive: true,
    spec: Type.Object({
      uid: Type.String(),
      createdAt: Type.String(),
      deletedAt: Type.String(),
      entries: Type.Array(HistoryEntry),
      dropped: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    status: {},
    indexedLabels: [found.subject, found.day, labels.project, labels.organization],
    immutable: immutableLabels(found),
  });
}

export type GoneKind = ReturnType<typeof defineGoneKind>;

interface GoneRecord {
  readonly metadata: Resource['metadata'];
  readonly spec: Resource<GoneKind>['spec'];
}

/**
 * Where a service stores histories. Each service has its own kinds, so that it can have its own store, and so that
 * removing old history and reading activity never touch objects of another service.
 */
export interface HistoryStorage<K extends Kind = Kind> {
  readonly labels: HistoryLabels;
  readonly parts: HistoryKind;
  readonly gone: Kind;
  /** Stores that an object was deleted; `last` is its last state. */
  recordGone(
    store: Store,
    record: { readonly metadata: WritableMetadata; readonly spec: GoneRecord['spec'] },
    last: Resource<K>,
  ): Promise<unknown>;
  /** Changes the last entries of an object that is gone. */
  amendGone(store: Store, name: string, change: (entries: readonly HistoryEntry[]) => HistoryEntry[]): Promise<unknown>;
  listGone(
    store: Store,
    query: ListQuery,
  ): Promise<{ readonly items: readonly GoneRecord[]; readonly continue?: string }>;
}

/**
 * Storage for the histories of several kinds of one service.
 *
 * @example historyStorage({ subject: `${group}/resource-id`, day: `${group}/day` }, ResourceHistory, GoneResource)
 */
export function historyStorage(found: HistoryLabels, parts: HistoryKind, gone: GoneKind): HistoryStorage {
  return {
    labels: found,
    parts,
    gone,
    recordGone: (store, record) => store.create(gone, record),
    amendGone: (store, name, change) =>
      modify(store, gone, name, ({ metadata, spec }) => ({
        metadata,
        spec: { ...spec, entries: change(spec.entries) },
      })),
    listGone: (store, query) => store.list(gone, query),
  };
}
