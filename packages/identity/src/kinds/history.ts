import { defineGoneKind, defineHistoryKind, historyStorage } from '@unikorn/core/history';

import { groupVersion } from './group-version.ts';

const { group } = groupVersion;

const found = { subject: `${group}/resource-id`, day: `${group}/day` };

/** A part of the history of a resource of identity. */
export const ResourceHistory = defineHistoryKind({
  group,
  kind: 'ResourceHistory',
  plural: 'resourcehistories',
  labels: found,
});

/** A deleted resource of identity, with the last entries of its history. */
export const GoneResource = defineGoneKind({ group, kind: 'GoneResource', plural: 'goneresources', labels: found });

export const identityHistoryStorage = historyStorage(found, ResourceHistory, GoneResource);
