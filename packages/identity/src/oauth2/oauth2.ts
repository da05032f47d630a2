import type { Runnable } from '@unikorn/core/controller';
import { isProblem, toError } from '@unikorn/core/errors';
import type { RawRoute, Route } from '@unikorn/core/http';
import { objectLimits, type ObjectLimits } from '@unikorn/core/limits';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { eitherVerifier, type Tenancy, type TokenVerifier, type UserDirectory } from '../access/index.ts';
import { oauth2ClientRoutes } from '../handlers/oauth2clients/index.ts';
import { oauth2ProviderRoutes } from '../handlers/oauth2providers/index.ts';
import { passwordRoutes } from '../handlers/passwords/index.ts';
import { normaliseSubject, User, userIdOf, type OrganizationUser } from '../kinds/index.ts';
import { limits, waits } from '../limits.ts';
import { Accounts } from './account.ts';
import { adapterFactory } from './adapter.ts';
import { Artifacts } from './artifacts.ts';
import { BrowserState } from './browser-state.ts';
import { applicationFinder, clientFinder, type ConfiguredClient } from './clients.ts';
import { DeviceLimits } from './device.ts';
import { ExternalUrl } from './external-url.ts';
import { Federation } from './federation/federation.ts';
import { Providers, type ConfiguredProvider } from './federation/providers.ts';
import { OpenIdHost } from './host.ts';
import { SigningKeys } from './keys.ts';
import { Consent } from './login/consent.ts';
import { CredentialChanges } from './login/credentials.ts';
import { Invitations, type IssuedInvitation } from './login/invitations.ts';
import { Login } from './login/login.ts';
import { recommendedCost, type Cost } from './login/password.ts';
import { Passwords } from './login/passwords.ts';
import { countersInStore } from './login/counters.ts';
import { LoginThrottle } from './login/throttle.ts';
import { Realm } from './realm.ts';
import { openIdRoutes } from './routes.ts';
import { Sealer } from './sealing.ts';
import { userinfoRoutes } from './userinfo.ts';
import { issuedTokenVerifier, serviceTokenVerifier, userTokenVerifier } from './verifier.ts';

export interface OAuth2Options {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** The public address of the service with its base path, such as `https://cloud.example.com/identity`. */
  readonly issuer: string;
  /** 32 bytes, kept outside the store and the same in every process. Secrets in the store cannot be read without it. */
  readonly encryptionKey: Uint8Array;
  /** Keys that were used before. Data that was encrypted with them can still be read. */
  readonly earlierKeys?: readonly Uint8Array[];
  readonly users: UserDirectory;
  readonly serviceAccounts: TokenVerifier;
  /** The common names of the platform's services. */
  readonly services: ReadonlySet<string>;
  readonly tenancy: Tenancy;
  readonly clients: readonly ConfiguredClient[];
  readonly providers: readonly ConfiguredProvider[];
  readonly objectLimits?: Pick<ObjectLimits, 'oauth2Providers'>;
  /** The cost of hashing a password; OWASP's recommendation by default. */
  readonly passwordCost?: Cost;
}

export interface Administrator {
  readonly subject: string;
  /** A random password is created if none is given. */
  readonly password?: string;
}

export interface OAuth2 {
  /** Verifies tokens of users, service accounts and the platform's services. */
  readonly tokenVerifier: TokenVerifier;
  readonly routes: readonly Route[];
  readonly rawRoutes: readonly RawRoute[];
  /**
   * Stores the configured providers, and rotates keys until the signal aborts. Every process that handles logins does
   * this.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Removes expired codes, tokens and sessions. One process at a time does this. */
  readonly sweeper: Runnable;
  /** Ensures that a user with a password exists. Returns the password only if it was set now. */
  /**
   * Fails with `storage_unusable` if the secrets in the store were encrypted with another key. This is checked at the
   * start, not at the first login.
   */
  openKeys(): Promise<void>;
  bootstrapAdministrator(administrator: Administrator): Promise<string | undefined>;
  /** Whether a user can log in with this password. */
  isPassword(subject: string, password: string): Promise<boolean>;
  /** A link with which a member sets a password. The organization vouches for the user. */
  invite(membership: OrganizationUser): Promise<IssuedInvitation>;
  /** Sets the password of a user (a random one by default), returns it, and ends the user's sessions. */
  setPassword(subject: string, password?: string): Promise<string>;
}

/**
 * Login and tokens: an OpenID provider on the store, its login page, federation to other providers, and passports.
 *
 * @example
 * const oauth2 = createOAuth2({ store, world, telemetry, tenancy, users, serviceAccounts, services, issuer, encryptionKey, clients: [], providers: [] });
 * const service = { ...identity, routes: [...identity.routes, ...oauth2.routes], rawRoutes: oauth2.rawRoutes };
 */
export function createOAuth2(options: OAuth2Options): OAuth2 {
  const { store, world, telemetry, users, services, tenancy } = options;
  const external = new ExternalUrl(options.issuer);
  const sealer = new Sealer(options.encryptionKey, ...(options.earlierKeys ?? []));
  const artifacts = new Artifacts({ store, world, sealer });
  const keys = new SigningKeys({ store, world, sealer });
  const realm = new Realm(tenancy, store);
  const accounts = new Accounts(users, realm);
  const tokens = eitherVerifier(
    options.serviceAccounts,
    issuedTokenVerifier(userTokenVerifier({ artifacts, accounts }), serviceTokenVerifier({ artifacts, services })),
  );
  const passwords = new Passwords({
    store,
    world,
    users,
    cost: options.passwordCost ?? recommendedCost,
    mayVouch: (organizationId, subject) => realm.mayVouch(organizationId, subject),
  });
  const throttle = new LoginThrottle({ world, counters: countersInStore({ artifacts, sealer }) });
  const credentials = new CredentialChanges({ store, telemetry, artifacts, passwords, users, throttle });
  const consent = new Consent({ store, world, sealer, realm });
  const invitations = new Invitations({ store, world, external, realm, passwords, credentials, consent });
  const providers = new Providers({ store, sealer, realm });
  const browser = new BrowserState({ world, sealer, external });
  const federation = new Federation({ store, world, telemetry, artifacts, browser, external, users, realm, providers });
  const cookieKey = Buffer.from(sealer.keyFor('cookies')).toString('base64url');
  const findApplication = applicationFinder(store, services, options.clients);
  const adapter = adapterFactory({ artifacts, browser, findClient: clientFinder(findApplication, services) });
  const host = new OpenIdHost({
    browser,
    external,
    telemetry,
    accounts,
    adapter,
    cookieKey,
    base: external.base,
    tokens,
    services,
    realm,
    keys,
    world,
  });
  const login = new Login({
    store,
    world,
    telemetry,
    external,
    host,
    findApplication,
    passwords,
    providers,
    federation,
    users,
    consent,
    throttle,
  });

  return {
    tokenVerifier: tokens,
    routes: [
      ...oauth2ProviderRoutes(sealer, external, options.objectLimits ?? objectLimits),
      ...oauth2ClientRoutes,
      ...passwordRoutes({ credentials, passwords }),
    ],
    rawRoutes: [
      ...openIdRoutes({ host, external, services, limits: new DeviceLimits(world) }),
      ...userinfoRoutes(tokens),
      ...login.routes(),
      ...invitations.routes(),
    ],
    invite: (membership) => invitations.issue(membership),
    isPassword: async (subject, password) => (await passwords.verify(subject, password)) !== undefined,
    async run(signal) {
      await providers.configure(options.providers);
      while (!signal.aborted) {
        await keys.rotateIfDue().catch(reporting(telemetry, 'keys were not rotated; this is retried later'));
        await world.sleep(waits.rotationCheck_ms, signal);
      }
    },
    sweeper: artifactSweeper({ artifacts, world, telemetry }),
    async openKeys() {
      await keys.current();
    },
    async bootstrapAdministrator({ subject, password = passwords.generate() }) {
      const user = await ensureUser(store, subject);
      if (await passwords.has(user)) return undefined;
      await passwords.set(user, password);
      return password;
    },
    async setPassword(subject, password = passwords.generate()) {
      await credentials.set(subject, password);
      return password;
    },
  };
}

interface Sweeping {
  readonly artifacts: Artifacts;
  readonly world: World;
  readonly telemetry: Telemetry;
}

function artifactSweeper({ artifacts, world, telemetry }: Sweeping): Runnable {
  return {
    name: 'oauth2-artifacts',
    async run(signal) {
      for (let sweep = 0; !signal.aborted; sweep++) {
        const sweeping =
          sweep % limits.sweepsPerFullSweep === 0 ? artifacts.sweep(signal) : artifacts.sweepRecent(signal);
        await sweeping.catch(reporting(telemetry, 'expired tokens were not removed; this is retried later'));
        await world.sleep(waits.artifactSweep_ms, signal);
      }
    },
  };
}

function reporting({ log }: Telemetry, message: string): (thrown: unknown) => void {
  return (thrown) => {
    log.error({ error: toError(thrown) }, message);
  };
}

async function ensureUser(store: Store, subject: string): Promise<User> {
  const id = userIdOf(subject);
  try {
    return await store.create(User, {
      metadata: { name: id },
      spec: { subject: normaliseSubject(subject), state: 'active' },
    });
  } catch (error) {
    const existing = isProblem(error, 'conflict') ? await store.get(User, id) : undefined;
    if (!existing) throw error;
    return existing;
  }
}
