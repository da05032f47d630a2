import type { Static } from 'typebox';

import { allowsGlobal, authorOf, demand } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import {
  actionsRoute,
  collectionRoute,
  itemRoute,
  readItemRoute,
  route,
  type Item,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { annotations, labels, modifiedMetadata, newMetadata, randomId, readMetadata } from '@unikorn/core/resource';
import type { World } from '@unikorn/core/world';

import { OAuth2ClientPath, OAuth2ClientRead, OAuth2Clients, OAuth2ClientWrite } from '../../api/oauth2clients.ts';
import { digestOf } from '../../digest.ts';
import { OAuth2Client } from '../../kinds/oauth2.ts';
import { limits } from '../../limits.ts';
import { applicationMistake } from '../../oauth2/application.ts';
import { storedTags } from '../tags.ts';

const endpoint = 'identity:oauth2clients';
const common = { tags: ['Applications'], security: 'bearer' } as const;
const collection = '/api/v1/oauth2clients';
const path = `${collection}/{oauth2ClientID}` as const;
const secretBytes = 32;
/** Applications belong to the platform: a caller who may register one decides where logins are sent. */
const clientItem: Item<typeof OAuth2Client> = {
  kind: OAuth2Client,
  param: 'oauth2ClientID',
  endpoint,
  access: { order: 'check first', allows: (verb, { acl }) => allowsGlobal(acl, endpoint, verb), belongs: () => true },
};

type Written = DeepReadonly<Static<typeof OAuth2ClientWrite>>;
type Shown = DeepReadonly<Static<typeof OAuth2ClientRead>>;
type ClientType = NonNullable<Written['spec']['type']>;

function typeOf({ native = false, secretDigest }: OAuth2Client['spec']): ClientType {
  if (native) return 'native';
  return secretDigest === undefined ? 'public' : 'confidential';
}

/** All fields except the secret, which cannot be shown again. */
function present(client: OAuth2Client): Shown {
  const { tags, redirectUris, postLogoutRedirectUris, loginUri } = client.spec;
  const spec = {
    type: typeOf(client.spec),
    redirectUris,
    ...defined({ postLogoutRedirectUris, loginUri }),
  };
  return { metadata: readMetadata(OAuth2Client, client, tags), spec, status: {} };
}

/** The only response that contains a secret. */
function presentWith(client: OAuth2Client, secret: string | undefined): Shown {
  return { ...present(client), status: secret === undefined ? {} : { secret } };
}

function newSecret(world: World): string {
  return Buffer.from(world.randomBytes(secretBytes)).toString('base64url');
}

function specOf(
  { metadata, spec: { redirectUris, postLogoutRedirectUris, loginUri } }: Written,
  type: ClientType,
  secretDigest: string | undefined,
): OAuth2Client['spec'] {
  const native = type === 'native';
  const mistake = applicationMistake({ redirectUris, postLogoutRedirectUris, loginUri, native });
  if (mistake) throw new Problem('invalid_request', `body.spec.${mistake}`);
  return {
    ...storedTags(metadata.tags),
    redirectUris,
    ...defined({ postLogoutRedirectUris, loginUri }),
    ...(native ? { native } : {}),
    ...defined({ secretDigest }),
  };
}

/**
 * Registers applications that users log in to. They are read from the store for every request, so that a change is
 * effective immediately.
 */
const routes: readonly Route[] = [
  collectionRoute({
    ...common,
    path: collection,
    operationId: 'listOauth2Clients',
    summary: 'List the applications that users can log in to',
    response: OAuth2Clients,
    kind: OAuth2Client,
    view: ({ acl }) => {
      demand(allowsGlobal(acl, endpoint, 'read'), endpoint, 'read');
      return { selector: [], visible: () => true };
    },
    present,
  }),
  route({
    ...common,
    method: 'POST',
    path: collection,
    operationId: 'createOauth2Client',
    summary: 'Register an application that users can log in to',
    body: OAuth2ClientWrite,
    responses: { 201: OAuth2ClientRead },
    idempotency: 'refuse',
    handler: async ({ acl, body, caller, runtime: { store, world } }) => {
      demand(allowsGlobal(acl, endpoint, 'create'), endpoint, 'create');
      if ((await store.countUpTo(OAuth2Client, [], limits.applications, { cached: true })) >= limits.applications)
        throw new Problem(
          'quota_exceeded',
          `the platform has reached its limit of ${limits.applications} applications: delete one that is no longer needed`,
        );
      const { type = 'confidential' } = body.spec;
      const secret = type === 'confidential' ? newSecret(world) : undefined;
      const metadata = newMetadata(randomId(world), body.metadata, {}, authorOf(caller));
      const client = await store.create(OAuth2Client, {
        metadata,
        spec: specOf(body, type, secret === undefined ? undefined : digestOf(secret)),
      });
      return { status: 201, body: presentWith(client, secret) };
    },
  }),
  readItemRoute({
    ...common,
    path,
    operationId: 'getOauth2Client',
    summary: 'Read an application',
    params: OAuth2ClientPath,
    response: OAuth2ClientRead,
    item: clientItem,
    present,
  }),
  itemRoute({
    ...common,
    method: 'PUT',
    path,
    operationId: 'updateOauth2Client',
    actions: ['update'],
    summary: 'Change an application',
    params: OAuth2ClientPath,
    body: OAuth2ClientWrite,
    responses: { 200: OAuth2ClientRead },
    item: clientItem,
    verb: 'update',
    handler: async ({ body, caller, runtime: { store, world } }, { metadata, spec }) => {
      const type = typeOf(spec);
      if (body.spec.type !== undefined && body.spec.type !== type)
        throw new Problem(
          'invalid_request',
          `body.spec.type: the type ${type} cannot be changed: register another application`,
        );
      const changed = await store.update(OAuth2Client, {
        metadata: modifiedMetadata(metadata, body.metadata, authorOf(caller), world.now()),
        spec: specOf(body, type, spec.secretDigest),
      });
      return { status: 200, body: present(changed) };
    },
  }),
  itemRoute({
    ...common,
    method: 'DELETE',
    path,
    operationId: 'deleteOauth2Client',
    summary: 'Delete an application; users can no longer log in to it',
    params: OAuth2ClientPath,
    responses: { 200: null },
    item: clientItem,
    verb: 'delete',
    actions: ['delete'],
    handler: async ({ runtime: { store } }, { metadata: { name, uid } }) => {
      await store.delete(OAuth2Client, name, { preconditions: { uid } });
      return { status: 200 };
    },
  }),
  itemRoute({
    ...common,
    method: 'POST',
    path: `${path}/rotate`,
    operationId: 'rotateOauth2Client',
    summary: 'Create a new secret; the old one becomes invalid immediately',
    params: OAuth2ClientPath,
    responses: { 200: OAuth2ClientRead },
    idempotency: 'refuse',
    item: clientItem,
    verb: 'update',
    actions: ['rotate'],
    check: ({ spec }) => {
      if (spec.secretDigest === undefined)
        throw new Problem('invalid_request', `the application is ${typeOf(spec)} and has no secret`);
    },
    handler: async ({ caller, runtime: { store, world } }, { metadata, spec }) => {
      const secret = newSecret(world);
      const naming = {
        name: metadata.labels?.[labels.name] ?? '',
        description: metadata.annotations?.[annotations.description],
      };
      const rotated = await store.update(OAuth2Client, {
        metadata: modifiedMetadata(metadata, naming, authorOf(caller), world.now()),
        spec: { ...spec, secretDigest: digestOf(secret) },
      });
      return { status: 200, body: presentWith(rotated, secret) };
    },
  }),
];

export const oauth2ClientRoutes: readonly Route[] = [
  ...routes,
  actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listOauth2ClientActions',
    params: OAuth2ClientPath,
    item: clientItem,
    words: 'an application',
    routes,
  }),
];
