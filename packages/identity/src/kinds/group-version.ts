import { Type } from 'typebox';

/** The API group of all kinds of identity. */
export const groupVersion = { group: 'identity.unikorn-cloud.org', version: 'v1alpha1' } as const;

/** Tags of a resource; stored unchanged. */
export const Tags = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }));
