import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

/**
 * Where an organization's resources live. It carries its own id as the label they carry too, so that one selector
 * scopes both. What still uses it holds references to it.
 */
export const Project = defineKind({
  ...groupVersion,
  kind: 'Project',
  plural: 'projects',
  changes: 'stored',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    pause: Type.Optional(Type.Boolean()),
    /** The groups whose members hold the project part of their roles here. */
    groupIDs: Type.Array(Type.String()),
  }),
  status: {},
  indexedLabels: [labels.project, labels.organization],
});

export type Project = Resource<typeof Project>;
