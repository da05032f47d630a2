import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { common, groupVersion, labelPointer } from './common.ts';

/** What kinds of file storage a region has, described by whoever operates it. With an organization's label it is that one's alone. */
export const FileStorageClass = defineKind({
  ...groupVersion,
  kind: 'FileStorageClass',
  plural: 'filestorageclasses',
  realisation: 'static',
  spec: Type.Object({
    tags: common.tags,
    provisioner: Type.String(),
    protocols: Type.Array(Type.Union([Type.Literal('nfsv3'), Type.Literal('nfsv4')])),
    /** How many addresses of a network serve one storage. */
    parallelism: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  status: {},
  indexedLabels: [labels.region, labels.organization],
  immutable: [labelPointer(labels.region)],
});

export type FileStorageClass = Resource<typeof FileStorageClass>;

/** For a class that does not say. */
export const defaultParallelism = 4;
