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
  /** A program on the person's own machine: it listens there on whatever port is free, so ports of loopback addresses are not compared. */
  readonly native?: boolean;
}

/** Finds who may ask for tokens: our own services, and the applications of the configuration and of the store that people may log in to. */
export function clientFinder(store: Store, services: ReadonlySet<string>, configured: readonly ConfiguredClient[]): (id: string) => Promise<ClientMetadata | undefined> {
  const clash = configured.find(({ id }) => services.has(id));
  if (clash) throw new Error(`the client ${clash.id} has the name of a service: give the client of the configuration another name`);
  const known = new Map(configured.map((client) => [client.id, metadataOf(client.id, { ...client, ...(client.secret === undefined ? {} : { secretDigest: digestOf(client.secret) }) })]));
  return async (id) => (services.has(id) ? serviceClient(id) : (known.get(id) ?? stored(await store.get(OAuth2Client, id))));
}

/** A service is known by the common name of its certificate, and everything it gets is bound to that certificate. */
function serviceClient(commonName: string): ClientMetadata {
  return {
    client_id: commonName,
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: commonName,
    tls_client_certificate_bound_access_tokens: true,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  };
}

function stored(client: OAuth2Client | undefined): ClientMetadata | undefined {
  return client && metadataOf(client.metadata.name, client.spec);
}

function metadataOf(id: string, { redirectUris, postLogoutRedirectUris, secretDigest, native = false }: OAuth2Client['spec'] & Pick<ConfiguredClient, 'native'>): ClientMetadata {
  return {
    client_id: id,
    application_type: native ? 'native' : 'web',
    redirect_uris: [...redirectUris],
    ...(postLogoutRedirectUris === undefined ? {} : { post_logout_redirect_uris: [...postLogoutRedirectUris] }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // The secret's digest stands in for the secret: the comparison hashes what is presented.
    ...(secretDigest === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: secretDigest, token_endpoint_auth_method: 'client_secret_post' }),
  };
}
