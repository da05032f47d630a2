import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { GroupIDs, oneOf } from './common.ts';

const UserSpec = Type.Object(
  {
    subject: Type.String({ maxLength: fieldLimits.subject, description: 'the mail address for the login' }),
    state: oneOf(['active', 'pending', 'suspended'], 'userState'),
    groupIDs: GroupIDs,
  },
  { $id: 'userSpec' },
);
const UserStatus = Type.Object(
  {
    lastActive: Type.Optional(Type.String({ format: 'date-time' })),
    acceptance: Type.Optional(oneOf(['open', 'vouched', 'accepted', 'declined'], 'userAcceptance')),
    issuer: Type.Optional(Type.String({ description: 'the issuer to use for this user in the subjects of groups' })),
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
  {
    link: Type.String({ description: 'shown only once; can be used only once' }),
    expiry: Type.String({ format: 'date-time' }),
  },
  { $id: 'userInvitationRead' },
);
