import { allowsGlobal, demand, readCredentials } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { route, type Route } from '@unikorn/core/http';

import { PasswordChange, PasswordRead, PasswordSet } from '../../api/passwords.ts';
import { normaliseSubject } from '../../kinds/index.ts';
import type { CredentialChanges } from '../../oauth2/login/credentials.ts';
import type { Passwords } from '../../oauth2/login/passwords.ts';

const endpoint = 'identity:users';
const common = { tags: ['Passwords'] } as const;

export interface PasswordDeps {
  readonly credentials: CredentialChanges;
  readonly passwords: Passwords;
}

export function passwordRoutes({ credentials, passwords }: PasswordDeps): readonly Route[] {
  return [
    route({
      ...common,
      security: 'authenticated',
      method: 'PUT',
      path: '/api/v1/password',
      operationId: 'changePassword',
      summary: 'Change your own password; this ends your other sessions',
      body: PasswordChange,
      responses: { 200: null },
      handler: async ({ body, caller, headers }) => {
        const presented = caller.accountType === 'user' ? readCredentials(headers, 'none') : undefined;
        if (presented?.type !== 'token')
          throw new Problem(
            'forbidden',
            'only a user can change their own password; service accounts have no password',
          );
        await credentials.change(presented.token, body.current, body.password);
        return { status: 200 };
      },
    }),
    route({
      ...common,
      security: 'bearer',
      method: 'POST',
      path: '/api/v1/passwords',
      operationId: 'setPassword',
      summary: 'Set the password of a user; this ends all their sessions',
      body: PasswordSet,
      responses: { 200: PasswordRead },
      handler: async ({ acl, body }) => {
        demand(allowsGlobal(acl, endpoint, 'update'), endpoint, 'update');
        const subject = normaliseSubject(body.subject);
        const password = body.password ?? passwords.generate();
        passwords.demandGood(password);
        await credentials.set(subject, password);
        return { status: 200, body: { subject, ...(body.password === undefined ? { password } : {}) } };
      },
    }),
  ];
}
