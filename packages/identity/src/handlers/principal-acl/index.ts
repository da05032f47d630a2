import type { Acl } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { route, type Route } from '@unikorn/core/http';

import { actingSubject, type AclSubject } from '../../access/index.ts';
import { AclRead } from '../../api/index.ts';

export interface PrincipalAccess {
  whenReady(): Promise<void>;
  aclOf(subject: AclSubject, among?: readonly string[]): Acl;
}

/**
 * Only for the platform's services: the permissions of the user or service account that they act for, not limited to
 * those of a service. If a service is called by another service, it must limit them to the permissions of that caller,
 * which only it knows.
 */
export function principalAclRoutes(tenancy: PrincipalAccess): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/acl/principal',
      operationId: 'getPrincipalAcl',
      summary: 'Read the permissions of the principal of a service',
      tags: ['Access'],
      security: 'authenticated',
      hidden: true,
      responses: { 200: AclRead },
      handler: async ({ caller }) => {
        if (caller.accountType !== 'system')
          throw new Problem('forbidden', 'only a service of this platform may use this operation');
        const subject = actingSubject(caller);
        if (!subject) throw new Problem('invalid_request', 'header X-Impersonate: must be true');
        await tenancy.whenReady();
        return { status: 200, body: tenancy.aclOf(subject, caller.principal.organizationIds) };
      },
    }),
  ];
}
