import { Type } from 'typebox';

/** Where every kind of identity lives. */
export const groupVersion = { group: 'identity.unikorn-cloud.org', version: 'v1alpha1' } as const;

/** Tags of a resource; stored unchanged. */
export const Tags = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }));
