import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

/**
 * Contains the resources of an organization. It has its own id as the label that its resources have too, so that one
 * selector finds both. Resources that use it have references to it.
 */
export const Project = defineKind({
  ...groupVersion,
  kind: 'Project',
  plural: 'projects',
  changes: 'stored',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    pause: Type.Optional(Type.Boolean()),
    /** The groups whose members have the project part of their roles here. */
    groupIDs: Type.Array(Type.String()),
  }),
  status: {},
  indexedLabels: [labels.project, labels.organization],
});

export type Project = Resource<typeof Project>;
