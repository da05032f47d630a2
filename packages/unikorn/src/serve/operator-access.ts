import { createHash, timingSafeEqual } from 'node:crypto';

import { operations, tokenCaller, type Acl, type Authenticator } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';

const endpoints = ['parking:lots', 'parking:permits', 'core:sagas'];

const everything: Acl = { global: endpoints.map((name) => ({ name, operations: [...operations] })) };

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** One token, written to the state directory, that may do everything: enough until identity is here. */
export function operatorAccess(token: string): Authenticator {
  const expected = digest(token);
  return {
    authenticate(credentials, scope) {
      if (credentials.type !== 'token' || !timingSafeEqual(digest(credentials.token), expected)) {
        return Promise.reject(new Problem('access_denied', 'the token is not valid: use the one in credentials.json'));
      }
      return Promise.resolve(tokenCaller({ subject: 'operator', accountType: 'user', organizationIds: [] }, scope));
    },
    access: () => Promise.resolve(everything),
  };
}
