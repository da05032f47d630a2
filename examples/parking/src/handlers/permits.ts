import { Type } from 'typebox';

import { allowsOrganization, authorOf, demand } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import {
  collectionRoute,
  itemRoute,
  readItemRoute,
  route,
  scopedView,
  type Item,
  type Request,
  type Route,
} from '@unikorn/core/http';
import { deterministicId, labels, newMetadata, organizationScopedReadMetadata } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import { PermitCreate, PermitPath, PermitQuery, PermitRead } from '../api/schemas.ts';
import { Lot, lotLabel, Permit } from '../kinds/index.ts';

const endpoint = 'parking:permits';
const common = { tags: ['Permits'], security: 'bearer' } as const;

/** Stores a permit and reserves its space, or neither. */
export type CreatePermit = (input: {
  readonly permitId: string;
  readonly lotId: string;
  readonly plate: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}) => Promise<unknown>;

const permitItem: Item<typeof Permit> = {
  kind: Permit,
  param: 'permitID',
  access: {
    order: 'load first',
    allows: (verb, { metadata }, { acl }) =>
      allowsOrganization(acl, endpoint, verb, metadata.labels?.[labels.organization] ?? ''),
  },
};

function present(permit: Permit) {
  const { lotId, plate, space } = permit.spec;
  const admittedAt = permit.status?.admittedAt;
  return {
    metadata: organizationScopedReadMetadata(Permit, permit),
    spec: { lotId, plate },
    status: { space, ...(admittedAt === undefined ? {} : { admittedAt }) },
  };
}

/** The lot in a request, loaded with the caller's rights: a lot that the caller may not see is treated as missing. */
async function lotFor(
  { acl, runtime: { store } }: Pick<Request, 'acl' | 'runtime'>,
  lotId: string,
): Promise<{ lot: Lot; organizationId: string }> {
  const lot = await store.get(Lot, lotId);
  const organizationId = lot?.metadata.labels?.[labels.organization];
  if (!lot || organizationId === undefined || !allowsOrganization(acl, 'parking:lots', 'read', organizationId)) {
    throw new Problem('not_found', `spec.lotId: lot ${lotId} does not exist`);
  }
  return { lot, organizationId };
}

export function permitRoutes(createPermit: CreatePermit): readonly Route[] {
  return [
    collectionRoute({
      ...common,
      path: '/api/v1/permits',
      operationId: 'listPermits',
      summary: 'List permits',
      query: PermitQuery,
      response: Type.Array(PermitRead),
      kind: Permit,
      view: ({ acl, query }) =>
        scopedView(
          acl,
          endpoint,
          { organizationIds: query.organizationID },
          query.lotID ? matching({ [lotLabel]: query.lotID }) : [],
        ),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/v1/permits',
      operationId: 'createPermit',
      summary: 'Create a permit for a car in a lot',
      body: PermitCreate,
      responses: { 201: PermitRead },
      idempotency: 'replay',
      handler: async (request) => {
        const { body, acl, caller, runtime } = request;
        const { lotId, plate } = body.spec;
        const { organizationId } = await lotFor(request, lotId);
        demand(allowsOrganization(acl, endpoint, 'create', organizationId), endpoint, 'create');
        const permitId = deterministicId(lotId, plate);
        const { labels: labelled = {}, annotations = {} } = newMetadata(
          permitId,
          body.metadata,
          { organizationId },
          authorOf(caller, { organizationId }),
          { labels: { [lotLabel]: lotId } },
        );
        await createPermit({ permitId, lotId, plate, labels: labelled, annotations });
        const permit = await runtime.store.get(Permit, permitId);
        if (!permit) throw new Problem('conflict', 'the permit was deleted while it was being created');
        return { status: 201, body: present(permit) };
      },
    }),
    readItemRoute({
      ...common,
      path: '/api/v1/permits/{permitID}',
      operationId: 'getPermit',
      summary: 'Read a permit',
      params: PermitPath,
      response: PermitRead,
      item: permitItem,
      present,
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path: '/api/v1/permits/{permitID}',
      operationId: 'deletePermit',
      summary: 'Delete a permit',
      params: PermitPath,
      responses: { 202: null },
      item: permitItem,
      verb: 'delete',
      handler: async ({ runtime: { store } }, { metadata: { name, uid } }) => {
        await store.delete(Permit, name, { preconditions: { uid } });
        return { status: 202 };
      },
    }),
  ];
}
