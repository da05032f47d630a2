import type { ClientMetadata } from 'oidc-provider';

import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { digestOf } from '../digest.ts';
import { OAuth2Client } from '../kinds/oauth2.ts';
import { applicationMistake } from './application.ts';
import { deviceGrant } from './lifetimes.ts';

/** An application in the configuration. Without a secret it is public and must use PKCE. */
export interface ConfiguredClient {
  readonly id: string;
  /** The display name; the id by default. */
  readonly name?: string;
  readonly secret?: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  /** The application's own page on which users choose how to log in. */
  readonly loginUri?: string;
  /** A program on the user's machine. It listens on any free port, so ports of loopback addresses are not compared. */
  readonly native?: boolean;
  /** Whether it gets refresh tokens; true by default. A page in a browser renews its token with the session instead. */
  readonly refresh?: boolean;
}

/** An application that users may log in to, from the configuration or the store. */
export interface Application extends Omit<ConfiguredClient, 'secret' | 'name'> {
  readonly name: string;
  readonly secretDigest?: string | undefined;
}

export type FindApplication = (id: string) => Promise<Application | undefined>;

/**
 * Finds applications in the configuration and in the store. Nothing is cached, so that a change is effective
 * immediately.
 */
export function applicationFinder(
  store: Store,
  services: ReadonlySet<string>,
  configured: readonly ConfiguredClient[],
): FindApplication {
  for (const [index, client] of configured.entries()) {
    if (configured.findIndex(({ id }) => id === client.id) < index)
      throw new Error(
        `there are two clients with the id ${client.id}: change the id of the client in the configuration`,
      );
    if (services.has(client.id))
      throw new Error(`the client ${client.id} has the name of a service: rename the client in the configuration`);
    const mistake = applicationMistake(client);
    if (mistake) throw new Error(`the client ${client.id} in the configuration cannot be used: ${mistake}`);
  }
  const known = new Map(
    configured.map(({ secret, name, ...client }) => [
      client.id,
      { ...client, name: name ?? client.id, ...(secret === undefined ? {} : { secretDigest: digestOf(secret) }) },
    ]),
  );
  return async (id) => known.get(id) ?? stored(await store.get(OAuth2Client, id));
}

function stored(client: OAuth2Client | undefined): Application | undefined {
  return (
    client && {
      ...client.spec,
      id: client.metadata.name,
      name: client.metadata.labels?.[labels.name] ?? client.metadata.name,
    }
  );
}

/** Finds the clients that may request tokens: the platform's services, and applications that users may log in to. */
export function clientFinder(
  findApplication: FindApplication,
  services: ReadonlySet<string>,
): (id: string) => Promise<ClientMetadata | undefined> {
  return async (id) => {
    if (services.has(id)) return serviceClient(id);
    const application = await findApplication(id);
    return application && metadataOf(application);
  };
}

/** A service is identified by the common name of its certificate, and its tokens are bound to that certificate. */
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

function metadataOf({
  id,
  name,
  redirectUris,
  postLogoutRedirectUris,
  secretDigest,
  native = false,
  refresh = true,
}: Application): ClientMetadata {
  return {
    client_id: id,
    client_name: name,
    application_type: native ? 'native' : 'web',
    redirect_uris: [...redirectUris],
    ...(postLogoutRedirectUris === undefined ? {} : { post_logout_redirect_uris: [...postLogoutRedirectUris] }),
    // A program on the user's machine may have no browser there.
    grant_types: ['authorization_code', ...(refresh ? ['refresh_token'] : []), ...(native ? [deviceGrant] : [])],
    response_types: ['code'],
    // The digest is used in place of the secret: the comparison hashes the presented value.
    ...(secretDigest === undefined
      ? { token_endpoint_auth_method: 'none' }
      : { client_secret: secretDigest, token_endpoint_auth_method: 'client_secret_post' }),
  };
}
