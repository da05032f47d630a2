import { Type } from 'typebox';

import type { Credential, Principal, Scope } from './access.ts';
import { Nullable, shapeOf } from './shape.ts';

/** The body of a request for a token. */
export function tokenRequest({ credential, scope }: Principal): object {
  return { auth: { identity: identityOf(credential), ...(scope === 'own' ? {} : { scope: scopeOf(scope) }) } };
}

function identityOf(credential: Credential): object {
  if (credential.method === 'password')
    return { methods: ['password'], password: { user: { ...credential.user, password: credential.password } } };
  const { secret } = credential;
  const key = 'id' in credential ? { id: credential.id } : { name: credential.name, user: credential.user };
  return { methods: ['application_credential'], application_credential: { ...key, secret } };
}

function scopeOf(scope: Exclude<Scope, 'own'>): object {
  return 'project' in scope ? { project: scope.project } : { domain: scope.domain };
}

const Endpoint = Type.Object({
  interface: Type.String(),
  url: Type.String(),
  region: Type.Optional(Nullable(Type.String())),
  region_id: Type.Optional(Nullable(Type.String())),
});

const Catalogue = Type.Array(
  Type.Object({ type: Type.String(), name: Type.Optional(Type.String()), endpoints: Type.Array(Endpoint) }),
);

const Reference = Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) });

export const tokenAnswer = shapeOf(
  Type.Object({
    token: Type.Object({
      expires_at: Type.String(),
      issued_at: Type.String(),
      user: Type.Object({ id: Type.String(), name: Type.String(), domain: Reference }),
      project: Type.Optional(Reference),
      domain: Type.Optional(Reference),
      roles: Type.Optional(Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))),
      catalog: Type.Optional(Catalogue),
    }),
  }),
);

export interface CatalogueEntry {
  readonly type: string;
  readonly endpoints: readonly {
    readonly interface: string;
    readonly url: string;
    readonly region?: string | null;
    readonly region_id?: string | null;
  }[];
}
