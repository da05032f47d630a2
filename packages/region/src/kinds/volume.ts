import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { Bytes, common, groupVersion, labelPointer, ObjectId } from './common.ts';

/** A disk that exists independently of the servers that it is attached to. */
export const Volume = defineKind({
  ...groupVersion,
  kind: 'Volume',
  plural: 'volumes',
  spec: Type.Object({
    ...common,
    networkID: ObjectId,
    volumeClassID: Type.String(),
    size: Bytes,
    /** The server that uses it; it is free if absent. */
    claimRef: Type.Optional(Type.Object({ kind: Type.Literal('Server'), id: ObjectId })),
  }),
  status: { size: Type.Optional(Bytes) },
  indexedLabels: [labels.network, labels.identity, labels.project, labels.organization, labels.region],
  immutable: [
    '/spec/networkID',
    '/spec/volumeClassID',
    ...[labels.network, labels.identity, labels.region, labels.organization, labels.project].map(labelPointer),
  ],
  admission: [{ rule: 'self.spec.size >= oldSelf.spec.size', message: 'a volume cannot shrink' }],
});

export type Volume = Resource<typeof Volume>;
