import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { GroupIDs, oneOf } from './common.ts';

const UserSpec = Type.Object(
  {
    subject: Type.String({ maxLength: fieldLimits.subject, description: 'the mail address they log in with' }),
    state: oneOf(['active', 'pending', 'suspended'], 'userState'),
    groupIDs: GroupIDs,
  },
  { $id: 'userSpec' },
);
const UserStatus = Type.Object(
  {
    lastActive: Type.Optional(Type.String({ format: 'date-time' })),
    acceptance: Type.Optional(oneOf(['open', 'vouched', 'accepted', 'declined'], 'userAcceptance')),
    issuer: Type.Optional(Type.String({ description: 'the issuer that names the person in subjects of groups' })),
  },
  { $id: 'userStatus' },
);

export const UserWrite = Type.Object(
  { metadata: Type.Optional(WireWriteMetadata), spec: UserSpec },
  { $id: 'userWrite' },
);
export const UserRead = Type.Object(
  { metadata: WireOrganizationScopedMetadata, spec: UserSpec, status: UserStatus },
  { $id: 'userRead' },
);
export const Users = Type.Array(UserRead, { $id: 'users' });
export const UserInvitationRead = Type.Object(
  { link: Type.String({ description: 'shown once; it works once' }), expiry: Type.String({ format: 'date-time' }) },
  { $id: 'userInvitationRead' },
);
