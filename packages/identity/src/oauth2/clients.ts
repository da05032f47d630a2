import type { ClientMetadata } from 'oidc-provider';

import type { Store } from '@unikorn/core/store';

import { OAuth2Client } from '../kinds/oauth2.ts';
import { digestOf } from '../digest.ts';

/** An application as the configuration names it. One without a secret is public and must use PKCE. */
export interface ConfiguredClient {
  readonly id: string;
  readonly secret?: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
}

/** Finds the applications people may log in to: those of the configuration, then those that are stored. */
export function clientFinder(store: Store, configured: readonly ConfiguredClient[]): (id: string) => Promise<ClientMetadata | undefined> {
  const known = new Map(configured.map((client) => [client.id, metadataOf(client.id, { ...client, ...(client.secret === undefined ? {} : { secretDigest: digestOf(client.secret) }) })]));
  return async (id) => known.get(id) ?? stored(await store.get(OAuth2Client, id));
}

function stored(client: OAuth2Client | undefined): ClientMetadata | undefined {
  return client && metadataOf(client.metadata.name, client.spec);
}

function metadataOf(id: string, { redirectUris, postLogoutRedirectUris, secretDigest }: OAuth2Client['spec']): ClientMetadata {
  return {
    client_id: id,
    redirect_uris: [...redirectUris],
    ...(postLogoutRedirectUris === undefined ? {} : { post_logout_redirect_uris: [...postLogoutRedirectUris] }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // The secret's digest stands in for the secret: the comparison hashes what is presented.
    ...(secretDigest === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: secretDigest, token_endpoint_auth_method: 'client_secret_post' }),
  };
}
