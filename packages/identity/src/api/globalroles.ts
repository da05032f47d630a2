import { Type } from 'typebox';

import { oneOf } from './common.ts';

const RoleNames = Type.Array(Type.String({ minLength: 1, maxLength: 63 }), {
  minItems: 1,
  maxItems: 20,
  $id: 'globalRoleNames',
});

export const GlobalRolePath = Type.Object({
  subject: Type.String({ minLength: 1, maxLength: 320, description: 'a mail address, or the id of a service account' }),
});
export const GlobalRoleWrite = Type.Object({ roles: RoleNames }, { $id: 'globalRoleWrite' });
export const GlobalRoleRead = Type.Object(
  {
    subject: Type.String(),
    roles: Type.Array(Type.String()),
    source: oneOf(['configuration', 'granted'], 'globalRoleSource'),
  },
  { $id: 'globalRoleRead' },
);
export const GlobalRoles = Type.Array(GlobalRoleRead, { $id: 'globalRoles' });
