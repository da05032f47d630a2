import * as openid from 'openid-client';

import { Problem, toError } from '@unikorn/core/errors';
import { guardedFetch } from '@unikorn/core/outbound';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import type { UserDirectory } from '../../access/index.ts';
import { normaliseSubject, Organization, type User } from '../../kinds/index.ts';
import type { OAuth2Provider } from '../../kinds/oauth2.ts';
import { waits } from '../../limits.ts';
import type { Artifacts, ArtifactPayload } from '../artifacts.ts';
import type { BrowserState } from '../browser-state.ts';
import type { ExternalUrl } from '../external-url.ts';
import { lifetimes } from '../lifetimes.ts';
import type { Realm } from '../realm.ts';
import type { Providers } from './providers.ts';
import { judge, type Testimony } from './vouching.ts';

const model = 'Federation';
const used = 'this login has expired or was already used';
const stateBytes = 32;
/** Discovery documents and key sets have a few kilobytes. */
const fetchPublic = guardedFetch({ answerBytes: 1024 * 1024 });

/**
 * Addresses that tenants configure are only fetched from the internet: they must not give access to the internal
 * network.
 */
function fetchForTenant(url: string, { method, headers, body, signal }: openid.CustomFetchOptions): Promise<Response> {
  return fetchPublic(url, {
    method,
    headers,
    signal,
    body: typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : undefined,
  });
}

export interface FederationOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly artifacts: Artifacts;
  readonly browser: BrowserState;
  readonly external: ExternalUrl;
  readonly users: UserDirectory;
  readonly realm: Realm;
  readonly providers: Providers;
}

/** A user who has logged in at an external provider. */
export interface Arrival {
  readonly user: User;
  readonly vouchedBy: string | undefined;
}

interface Discovered {
  readonly version: string;
  readonly until: number;
  readonly configuration: Promise<openid.Configuration>;
}

/** Logs users in through external OpenID providers. */
export class Federation {
  readonly #options: FederationOptions;
  readonly #discovered = new Map<string, Discovered>();

  constructor(options: FederationOptions) {
    this.#options = options;
  }

  /**
   * The provider for this mail address, if the organization of the user has one. Users that the organization may not
   * vouch for are not sent there: otherwise a tenant could lure them to its own page.
   */
  async providerFor(email: string): Promise<OAuth2Provider | undefined> {
    return this.#options.providers.forEmail(normaliseSubject(email));
  }

  /** The address of the provider's login page. The response can be used once, for this login, for a short time. */
  async begin(uid: string, provider: OAuth2Provider): Promise<string> {
    const { browser } = this.#options;
    const configuration = await this.#discover(provider);
    const [state, nonce, verifier] = [`${uid}.${this.#random()}`, this.#random(), this.#random()];
    browser.save(
      model,
      state,
      { login: uid, provider: provider.metadata.name, nonce, verifier },
      lifetimes.Interaction,
    );
    const location = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callback,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return location.href;
  }

  /**
   * The user that the provider returned for this login, and the organization of the provider. Fails with `forbidden`
   * and a reason that the user may read.
   */
  async finish(uid: string, query: URLSearchParams): Promise<Arrival> {
    const { artifacts, browser, providers } = this.#options;
    const state = query.get('state') ?? '';
    const pending = pendingOf(await browser.find(model, state));
    browser.forget(model, state);
    if (pending?.login !== uid) throw new Problem('forbidden', used);
    const provider = await providers.get(pending.provider);
    if (!provider) throw new Problem('forbidden', 'the login provider no longer exists');
    const claims = await this.#claims(provider, query, { ...pending, state });
    const verdict = judge(await this.#testimony(provider, claims));
    if (verdict.type === 'refused') throw new Problem('forbidden', verdict.reason);
    // Stored only now, so that clients without a login leave nothing in the store.
    if (!(await artifacts.claim(model, state, lifetimes.Interaction))) throw new Problem('forbidden', used);
    return { user: verdict.user, vouchedBy: ownerOf(provider) };
  }

  get #callback(): string {
    return `${this.#options.external.issuer}/oidc/callback`;
  }

  #random(): string {
    return Buffer.from(this.#options.world.randomBytes(stateBytes)).toString('base64url');
  }

  /** The client library checks state, nonce, code challenge, signature, issuer, audience and times. */
  async #claims(
    provider: OAuth2Provider,
    query: URLSearchParams,
    { state, nonce, verifier }: Pending & { readonly state: string },
  ): Promise<Claims> {
    const configuration = await this.#discover(provider);
    try {
      const tokens = await openid.authorizationCodeGrant(
        configuration,
        new URL(`${this.#callback}?${query.toString()}`),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        },
      );
      const claims = tokens.claims();
      if (!claims) throw new Error('there is no ID token');
      return claims['email'] === undefined
        ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    } catch (cause) {
      this.#options.telemetry.log.info(
        { provider: provider.metadata.name, error: { message: toError(cause).message } },
        'a login at another provider failed',
      );
      throw new Problem('forbidden', 'the login at your provider failed', { cause });
    }
  }

  async #testimony(provider: OAuth2Provider, claims: Claims): Promise<Testimony> {
    const { store, users, realm } = this.#options;
    const email = normaliseSubject(typeof claims['email'] === 'string' ? claims['email'] : '');
    const owner = ownerOf(provider);
    const organization = owner === undefined ? undefined : await store.get(Organization, owner);
    return {
      email,
      emailVerified: claims['email_verified'] === true,
      user: await users.find(email),
      ...(await realm.standing(email)),
      ...(owner === undefined
        ? {}
        : {
            organization: {
              id: owner,
              domain: organization?.spec.domain,
              verifiedDomain: organization?.spec.verifiedDomain,
            },
          }),
    };
  }

  async #discover(provider: OAuth2Provider): Promise<openid.Configuration> {
    const { name, resourceVersion: version } = provider.metadata;
    const now = this.#options.world.now();
    const known = this.#discovered.get(name);
    if (known?.version === version && now < known.until) return known.configuration;
    const configuration = this.#ask(provider);
    this.#discovered.set(name, { version, until: now + waits.discovery_ms, configuration });
    configuration.catch(() => this.#discovered.delete(name));
    return configuration;
  }

  async #ask(provider: OAuth2Provider): Promise<openid.Configuration> {
    const { issuer, clientID } = provider.spec;
    const secret = await this.#options.providers.secretOf(provider);
    const url = new URL(issuer);
    const plain = this.#options.external.allowsPlain(url);
    const ofTenant = ownerOf(provider) !== undefined;
    try {
      return await openid.discovery(
        url,
        clientID,
        secret,
        secret === undefined ? openid.None() : openid.ClientSecretPost(secret),
        {
          execute: plain ? [openid.allowInsecureRequests] : [],
          timeout: waits.loginProvider_s,
          ...(ofTenant && !plain ? { [openid.customFetch]: fetchForTenant } : {}),
        },
      );
    } catch (cause) {
      this.#options.telemetry.log.warn(
        { provider: provider.metadata.name, error: { message: toError(cause).message } },
        'a login provider cannot be reached',
      );
      throw new Problem('forbidden', 'your login provider cannot be reached at the moment', { cause });
    }
  }
}

/** The organization that owns the provider; undefined for a provider of the platform. */
function ownerOf({ metadata }: OAuth2Provider): string | undefined {
  return metadata.labels?.[labels.organization];
}

type Claims = Readonly<Record<string, unknown>>;

interface Pending {
  readonly login: string;
  readonly provider: string;
  readonly nonce: string;
  readonly verifier: string;
}

function pendingOf(payload: ArtifactPayload | undefined): Pending | undefined {
  const { login, provider, nonce, verifier } = payload ?? {};
  if (
    typeof login !== 'string' ||
    typeof provider !== 'string' ||
    typeof nonce !== 'string' ||
    typeof verifier !== 'string'
  )
    return undefined;
  return { login, provider, nonce, verifier };
}
