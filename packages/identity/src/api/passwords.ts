import { Type } from 'typebox';

const Password = Type.String({ maxLength: 1024 });

export const PasswordChange = Type.Object({ current: Password, password: Password }, { $id: 'passwordChange' });
export const PasswordSet = Type.Object(
  {
    subject: Type.String({ maxLength: 320, description: 'the mail address of the user' }),
    password: Type.Optional(Password),
  },
  { $id: 'passwordSet' },
);
export const PasswordRead = Type.Object(
  {
    subject: Type.String(),
    password: Type.Optional(Type.String({ description: 'the generated password, if none was given; shown only once' })),
  },
  { $id: 'passwordRead' },
);
