import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { common, groupVersion, labelPointer } from './common.ts';

/**
 * A class of file storage in a region, defined by the operator. With the label of an organization, only that
 * organization can use it.
 */
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

/** The default for a class that does not set it. */
export const defaultParallelism = 4;
