import { Type, type Static } from 'typebox';

import type { DeepReadonly } from '../kinds/index.ts';
import { WireReference } from '../resource/index.ts';
import { userNameLength } from './kind.ts';

/** The id of a saga run. */
const Claim = Type.String({
  maxLength: 63,
  pattern: '^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$',
  description: 'the operation that holds the reference; a release does not affect references of other operations',
});

/** Optional details about the user of a reference. */
export const HoldQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: userNameLength,
      description: 'readable name of the resource that uses it, such as instance web-1',
    }),
  ),
  protects: Type.Optional(
    Type.Boolean({ description: 'whether the resource that uses it is protected against deletion' }),
  ),
  claim: Type.Optional(Claim),
});

export const ReleaseQuery = Type.Object({ claim: Type.Optional(Claim) });

/** Which references a list shows; all of them unless one of these is given. */
export const ReferenceQuery = Type.Object({
  user: Type.Optional(WireReference),
  userKind: Type.Optional(
    Type.String({
      maxLength: 253,
      description: 'kind of the resources that use others, such as servers.region.unikorn-cloud.org',
    }),
  ),
});
export type ReferenceQuery = DeepReadonly<Static<typeof ReferenceQuery>>;

/** A reference as its service shows it to others: who uses what, and which operations hold it. */
export const ReferenceRead = Type.Object(
  {
    metadata: Type.Object({
      id: Type.String(),
      creationTime: Type.String({ format: 'date-time' }),
      /** Where the used resource is. */
      organizationId: Type.Optional(Type.String()),
      projectId: Type.Optional(Type.String()),
    }),
    spec: Type.Object({
      used: Type.Object({ kind: Type.String(), id: Type.String() }),
      user: Type.String(),
      name: Type.Optional(Type.String()),
      protects: Type.Boolean(),
      claims: Type.Array(Type.String()),
    }),
  },
  { $id: 'referenceRead' },
);
export type ReferenceRead = DeepReadonly<Static<typeof ReferenceRead>>;
export const ReferencesRead = Type.Array(ReferenceRead, { $id: 'referencesRead' });

/** The query of a deletion that allows protected objects to be deleted too. */
export const DeleteQuery = Type.Object({
  ignoreProtection: Type.Optional(
    Type.Boolean({ description: 'delete it even if instances in it are protected against deletion' }),
  ),
});
