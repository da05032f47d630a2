import type { TObject } from 'typebox';

import type { Operation } from '@unikorn/core/access';
import { itemRoute, type Item, type Route } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { addReference, HoldQuery, referenceListRoute, ReleaseQuery, removeReference } from '@unikorn/core/references';

import { ReferencePath } from '../api/common.ts';
import { Network, SecurityGroup, SSHCertificateAuthority } from '../kinds/index.ts';
import { endpoints } from './endpoints.ts';
import { allowsOn } from './project-resources.ts';

export interface ReferenceRoutes<K extends Kind> {
  readonly kind: K;
  /** The resource in words: `network`, and `Network` in the names of operations. */
  readonly words: string;
  readonly operation: string;
  readonly tags: readonly string[];
  readonly path: `/${string}`;
  readonly params: TObject;
  readonly param: string;
  /** The right that is needed. A service that may add references does not need the right to read. */
  readonly endpoint: string;
}

/** All references to resources of region that other services can hold. */
export const referenceList: Route = referenceListRoute({
  path: '/api/v2/references',
  operationId: 'listReferences',
  summary: 'List the references to resources; other services compare them with what they use',
  tags: ['References'],
  held: [
    { kind: Network, endpoint: endpoints.networkReferences },
    { kind: SecurityGroup, endpoint: endpoints.securityGroupReferences },
    { kind: SSHCertificateAuthority, endpoint: endpoints.sshCertificateAuthorityReferences },
  ],
});

/** Routes with which other services add and remove references, to prevent the deletion of a resource that they use. */
export function referenceRoutes<K extends Kind>({
  kind,
  words,
  operation,
  tags,
  path,
  params,
  param,
  endpoint,
}: ReferenceRoutes<K>): readonly Route[] {
  const item = (verb: Operation): Item<K> => ({
    kind,
    param,
    // A reference is stored first, and the object is read again afterwards.
    isSettled: true,
    access: { order: 'load first', allows: (_verb, { metadata }, { acl }) => allowsOn(acl, endpoint, verb, metadata) },
  });
  const common = {
    path: `${path}/references/{reference}`,
    tags,
    security: 'bearer',
    hidden: true,
    params: ReferencePath(params),
    // A reference of another service does not change the resource.
    records: false,
  } as const;
  return [
    itemRoute({
      ...common,
      method: 'PUT',
      operationId: `add${operation}Reference`,
      summary: `Add a reference that prevents the deletion of ${words}`,
      query: HoldQuery,
      responses: { 201: null },
      item: item('create'),
      verb: 'create',
      handler: async ({ params: { reference }, query, runtime }, { metadata }) => {
        await addReference(runtime, kind, metadata, { reference, ...query });
        return { status: 201 };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      operationId: `remove${operation}Reference`,
      summary: `Remove a reference to ${words}`,
      query: ReleaseQuery,
      responses: { 204: null },
      item: item('delete'),
      verb: 'delete',
      handler: async ({ params: { reference }, query: { claim }, runtime: { store } }, { metadata }) => {
        await removeReference(store, kind, metadata.name, reference, claim);
        return { status: 204 };
      },
    }),
  ];
}
