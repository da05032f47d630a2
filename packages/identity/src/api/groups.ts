import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { StringList } from './common.ts';

const Subject = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: fieldLimits.subject }),
    issuer: Type.String({ maxLength: fieldLimits.url }),
    email: Type.Optional(Type.String({ maxLength: fieldLimits.subject })),
  },
  { $id: 'subject' },
);

const GroupSpec = Type.Object(
  {
    subjects: Type.Optional(Type.Array(Subject, { maxItems: fieldLimits.members })),
    userIDs: Type.Optional(StringList),
    serviceAccountIDs: StringList,
    roleIDs: Type.Array(Type.String({ maxLength: fieldLimits.id }), { maxItems: fieldLimits.roles }),
  },
  { $id: 'groupSpec' },
);

export const GroupWrite = Type.Object({ metadata: WireWriteMetadata, spec: GroupSpec }, { $id: 'groupWrite' });
export const GroupRead = Type.Object(
  { metadata: WireOrganizationScopedMetadata, spec: GroupSpec },
  { $id: 'groupRead' },
);
export const Groups = Type.Array(GroupRead, { $id: 'groups' });
