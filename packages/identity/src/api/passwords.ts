import { Type } from 'typebox';

const Password = Type.String({ maxLength: 1024 });

export const PasswordChange = Type.Object({ current: Password, password: Password }, { $id: 'passwordChange' });
export const PasswordSet = Type.Object(
  {
    subject: Type.String({ maxLength: 320, description: 'the mail address of the person' }),
    password: Type.Optional(Password),
  },
  { $id: 'passwordSet' },
);
export const PasswordRead = Type.Object(
  {
    subject: Type.String(),
    password: Type.Optional(Type.String({ description: 'the one that was made, where none was given; shown once' })),
  },
  { $id: 'passwordRead' },
);
