import { Type } from 'typebox';

import { defineHistoryKind, HistoryEntry, type HistoryStorage } from '@unikorn/core/history';
import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';

import type { ComputeInstance } from './instance.ts';

/** The labels that select histories of instances. */
export const historyLabels = {
  subject: 'compute.unikorn-cloud.org/instance-id',
  day: 'compute.unikorn-cloud.org/day',
} as const;

const group = 'compute.unikorn-cloud.org';

/** A part of the history of an instance. */
export const InstanceHistory = defineHistoryKind({
  group,
  kind: 'InstanceHistory',
  plural: 'instancehistories',
  labels: historyLabels,
});

export type InstanceHistory = Resource<typeof InstanceHistory>;

const immutable = [historyLabels.subject, historyLabels.day, labels.organization, labels.project].map(
  (label) => `/metadata/labels/${label.replaceAll('/', '~1')}`,
);

/** A deleted instance, with the last entries of its history. It is kept as long as the history. */
export const GoneInstance = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'GoneInstance',
  plural: 'goneinstances',
  realisation: 'static',
  archive: true,
  spec: Type.Object({
    /** Distinguishes instances that had the same id one after another. */
    uid: Type.String(),
    createdAt: Type.String(),
    deletedAt: Type.String(),
    flavorId: Type.String(),
    imageId: Type.String(),
    entries: Type.Array(HistoryEntry),
    dropped: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  status: {},
  indexedLabels: [
    historyLabels.subject,
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

/**
 * Instances keep the kinds that they had before histories became general, so that the state of earlier versions stays
 * readable.
 */
export const instanceHistoryStorage: HistoryStorage<typeof ComputeInstance> = {
  labels: historyLabels,
  parts: InstanceHistory,
  gone: GoneInstance,
  recordGone: (store, { metadata, spec }, { spec: { flavorId, imageId } }) =>
    store.create(GoneInstance, { metadata, spec: { ...spec, flavorId, imageId } }),
  amendGone: (store, name, change) =>
    modify(store, GoneInstance, name, ({ metadata, spec }) => ({
      metadata,
      spec: { ...spec, entries: change(spec.entries) },
    })),
  listGone: (store, query) => store.list(GoneInstance, query),
};
