import { defineGoneKind, defineHistoryKind, historyStorage } from '@unikorn/core/history';

const group = 'region.unikorn-cloud.org';

const found = { subject: `${group}/resource-id`, day: `${group}/day` } as const;

/** A part of the history of a resource of region. */
export const ResourceHistory = defineHistoryKind({
  group,
  kind: 'ResourceHistory',
  plural: 'resourcehistories',
  labels: found,
});

/** A deleted resource of region, with the last entries of its history. */
export const GoneResource = defineGoneKind({ group, kind: 'GoneResource', plural: 'goneresources', labels: found });

export const regionHistoryStorage = historyStorage(found, ResourceHistory, GoneResource);
