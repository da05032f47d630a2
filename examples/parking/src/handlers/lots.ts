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
  type Route,
} from '@unikorn/core/http';
import { labels, newMetadata, organizationScopedReadMetadata, randomId } from '@unikorn/core/resource';

import { LotCreate, LotPath, LotRead } from '../api/schemas.ts';
import { Lot } from '../kinds/index.ts';

const endpoint = 'parking:lots';
const common = { tags: ['Lots'], security: 'bearer' } as const;

const lotItem: Item<typeof Lot> = {
  kind: Lot,
  param: 'lotID',
  access: {
    order: 'load first',
    allows: (verb, { metadata }, { acl }) =>
      allowsOrganization(acl, endpoint, verb, metadata.labels?.[labels.organization] ?? ''),
  },
};

function present(lot: Lot) {
  return {
    metadata: organizationScopedReadMetadata(Lot, lot),
    spec: { spaces: lot.spec.spaces },
    status: { free: lot.spec.spaces - (lot.status?.occupants?.length ?? 0) },
  };
}

export const lotRoutes: readonly Route[] = [
  collectionRoute({
    ...common,
    path: '/api/v1/lots',
    operationId: 'listLots',
    summary: 'List lots',
    response: Type.Array(LotRead),
    kind: Lot,
    view: ({ acl }) => scopedView(acl, endpoint),
    present,
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/v1/lots',
    operationId: 'createLot',
    summary: 'Create a lot',
    body: LotCreate,
    responses: { 201: LotRead },
    idempotency: 'replay',
    handler: async ({ body: { metadata, spec }, acl, caller, runtime: { store, world } }) => {
      const scope = { organizationId: spec.organizationId };
      demand(allowsOrganization(acl, endpoint, 'create', spec.organizationId), endpoint, 'create');
      const lot = await store.create(Lot, {
        metadata: newMetadata(randomId(world), metadata, scope, authorOf(caller, scope)),
        spec: { spaces: spec.spaces },
      });
      return { status: 201, body: present(lot) };
    },
  }),
  readItemRoute({
    ...common,
    path: '/api/v1/lots/{lotID}',
    operationId: 'getLot',
    summary: 'Read a lot',
    params: LotPath,
    response: LotRead,
    item: lotItem,
    present,
  }),
  itemRoute({
    ...common,
    method: 'DELETE',
    path: '/api/v1/lots/{lotID}',
    operationId: 'deleteLot',
    summary: 'Delete an empty lot',
    params: LotPath,
    responses: { 202: null },
    item: lotItem,
    verb: 'delete',
    handler: async ({ runtime: { store } }, { metadata, status }) => {
      const [occupant] = status?.occupants ?? [];
      if (occupant)
        throw new Problem('in_use', `the lot is in use by permit ${occupant.permitId}: delete its permits first`);
      const { name, uid, resourceVersion } = metadata;
      await store.delete(Lot, name, { preconditions: { uid, resourceVersion } });
      return { status: 202 };
    },
  }),
];
