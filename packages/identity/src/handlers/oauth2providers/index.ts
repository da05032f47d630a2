import type { Static } from 'typebox';

import { authorOf } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import {
  actionsRoute,
  collectionRoute,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { ObjectLimits } from '@unikorn/core/limits';
import { labels, modifiedMetadata, newMetadata, organizationScopedReadMetadata, ownedBy } from '@unikorn/core/resource';

import { OrganizationPath } from '../../api/common.ts';
import {
  OAuth2ProviderPath,
  OAuth2ProviderRead,
  OAuth2Providers,
  OAuth2ProviderWrite,
} from '../../api/oauth2providers.ts';
import { OAuth2Provider } from '../../kinds/oauth2.ts';
import type { ExternalUrl } from '../../oauth2/external-url.ts';
import type { Sealer } from '../../oauth2/sealing.ts';
import { demandInOrganization, demandRoomIn, openOrganization, organizationItem, organizationView } from '../scope.ts';
import { storedTags } from '../tags.ts';

const endpoint = 'identity:oauth2providers';
const common = { tags: ['Login providers'], security: 'bearer' } as const;
const collection = '/api/v1/organizations/{organizationID}/oauth2providers';
const path = `${collection}/{providerID}` as const;

const providerItem = organizationItem(OAuth2Provider, 'providerID', endpoint);

type Written = DeepReadonly<Static<typeof OAuth2ProviderWrite>>;

/** All fields except the secret. */
function present(provider: OAuth2Provider): DeepReadonly<Static<typeof OAuth2ProviderRead>> {
  const { type, issuer, clientID, tags } = provider.spec;
  return {
    metadata: organizationScopedReadMetadata(OAuth2Provider, provider, tags),
    spec: { ...defined({ type }), issuer, clientID },
  };
}

/** Users enter their passwords there, so the connection must be secure. */
function requireSafe(issuer: string, external: ExternalUrl): void {
  const url = URL.parse(issuer);
  if (!url || (url.protocol !== 'https:' && !external.allowsPlain(url)) || url.search !== '' || url.hash !== '') {
    throw new Problem('invalid_request', 'body.spec.issuer: must be an https URL without query and fragment');
  }
}

function specOf(
  { metadata, spec: { type, issuer, clientID, clientSecret } }: Written,
  sealer: Sealer,
  id: string,
  kept?: string,
): OAuth2Provider['spec'] {
  const sealedClientSecret = clientSecret === undefined ? kept : sealer.seal('provider-secrets', clientSecret, id);
  return {
    ...storedTags(metadata.tags),
    ...defined({ type }),
    issuer,
    clientID,
    ...defined({ sealedClientSecret }),
  };
}

export function oauth2ProviderRoutes(
  sealer: Sealer,
  external: ExternalUrl,
  objectLimits: Pick<ObjectLimits, 'oauth2Providers'>,
): readonly Route[] {
  const routes = [
    collectionRoute({
      ...common,
      path: '/api/v1/oauth2providers',
      operationId: 'listGlobalOauth2Providers',
      summary: 'List the login providers of the platform',
      response: OAuth2Providers,
      kind: OAuth2Provider,
      view: () => ({ selector: [{ key: labels.organization, operator: 'absent' }], visible: () => true }),
      // Providers for all users belong to no organization. Clients of the contract expect the field, so it is empty.
      present,
    }),
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listOauth2Providers',
      summary: "List an organization's login providers",
      params: OrganizationPath,
      response: OAuth2Providers,
      kind: OAuth2Provider,
      view: (request) => organizationView(request, endpoint),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createOauth2Provider',
      summary: 'Add a login provider to an organization',
      params: OrganizationPath,
      body: OAuth2ProviderWrite,
      responses: { 201: OAuth2ProviderRead },
      idempotency: 'replay',
      handler: async (request) => {
        const { body, caller, runtime } = request;
        const { organizationID: organizationId } = request.params;
        demandInOrganization(request, endpoint, 'create');
        const made = await madeBefore(request, OAuth2Provider);
        if (made) return { status: 201, body: present(made) };
        const organization = await openOrganization(request);
        await demandRoomIn(runtime.store, organizationId, OAuth2Provider, objectLimits.oauth2Providers);
        requireSafe(body.spec.issuer, external);
        const metadata = newMetadata(
          objectIdFor(request),
          body.metadata,
          { organizationId },
          authorOf(caller, { organizationId }),
        );
        return {
          status: 201,
          body: present(
            await runtime.store.create(OAuth2Provider, {
              metadata: { ...metadata, ownerReferences: [ownedBy(organization)] },
              spec: specOf(body, sealer, metadata.name),
            }),
          ),
        };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getOauth2Provider',
      summary: 'Read a login provider',
      params: OAuth2ProviderPath,
      response: OAuth2ProviderRead,
      item: providerItem,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateOauth2Provider',
      summary: 'Change a login provider',
      params: OAuth2ProviderPath,
      body: OAuth2ProviderWrite,
      responses: { 200: null },
      item: providerItem,
      verb: 'update',
      actions: ['update'],
      handler: async ({ body, caller, runtime }, { metadata, spec }) => {
        requireSafe(body.spec.issuer, external);
        await runtime.store.update(OAuth2Provider, {
          metadata: modifiedMetadata(metadata, body.metadata, authorOf(caller), runtime.world.now()),
          spec: specOf(body, sealer, metadata.name, spec.sealedClientSecret),
        });
        return { status: 200 };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteOauth2Provider',
      summary: 'Delete a login provider',
      params: OAuth2ProviderPath,
      responses: { 200: null },
      item: providerItem,
      verb: 'delete',
      actions: ['delete'],
      handler: async ({ runtime: { store } }, { metadata: { name, uid } }) => {
        await store.delete(OAuth2Provider, name, { preconditions: { uid } });
        return { status: 200 };
      },
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listOauth2ProviderActions',
    params: OAuth2ProviderPath,
    item: providerItem,
    words: 'a login provider',
    routes,
  });
  return [...routes, actions];
}
