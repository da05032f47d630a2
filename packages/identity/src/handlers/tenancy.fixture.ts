import { onTestFinished } from 'vitest';

import { startIdentity, type Answer, type Method, type StartOptions } from '../testing/index.ts';

export interface Wire {
  readonly metadata: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** An organization with an administrator, in a running service. */
export async function acme(options?: StartOptions) {
  const identity = await startIdentity(options);
  onTestFinished(() => identity.stop());
  const { found } = identity;
  const organizationId = await found.organization();
  const adminId = await found.user('admin@acme.com', organizationId);
  const adminGroup = await found.group(organizationId, ['administrator'], { users: ['admin@acme.com'] });
  await identity.world.settle();
  const path = `/api/v1/organizations/${organizationId}`;
  // The tests do not wait between calls: a caller sees the effect of a write, including permissions, in the next call.
  const as =
    (token: string) =>
    (method: Method, tail: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      identity.call(method, `${path}${tail}`, { token, headers, ...(body ? { body } : {}) });
  return { ...identity, organizationId, adminId, adminGroup, path, as, admin: as('user:admin@acme.com') };
}

/** The header with which a write refuses to replace another version than this one. */
export function over({ headers }: Answer): { readonly 'if-match': string } {
  return { 'if-match': String(headers['etag']) };
}

export function wire({ body }: Answer): Wire {
  return body as Wire;
}

export function wires({ body }: Answer): readonly Wire[] {
  return body as readonly Wire[];
}

export function text({ body }: Answer): string {
  return (body as { readonly error_description: string }).error_description;
}
