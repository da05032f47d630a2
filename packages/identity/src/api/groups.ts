import { Type } from 'typebox';

import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { StringList } from './common.ts';

const Subject = Type.Object({ id: Type.String({ minLength: 1, maxLength: 320 }), issuer: Type.String(), email: Type.Optional(Type.String()) }, { $id: 'subject' });

const GroupSpec = Type.Object(
  {
    subjects: Type.Optional(Type.Array(Subject, { maxItems: 10_000 })),
    userIDs: Type.Optional(StringList),
    serviceAccountIDs: StringList,
    roleIDs: StringList,
  },
  { $id: 'groupSpec' },
);

export const GroupWrite = Type.Object({ metadata: WireWriteMetadata, spec: GroupSpec }, { $id: 'groupWrite' });
export const GroupRead = Type.Object({ metadata: WireOrganizationScopedMetadata, spec: GroupSpec }, { $id: 'groupRead' });
export const Groups = Type.Array(GroupRead, { $id: 'groups' });
