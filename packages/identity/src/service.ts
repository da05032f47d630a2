import type { Authenticator } from '@unikorn/core/access';
import { localCalls } from '@unikorn/core/calls';
import type { Caches } from '@unikorn/core/controller';
import { recordedRoutes } from '@unikorn/core/history';
import { controllerRoutes, sagaRoutes, type Service } from '@unikorn/core/http';
import { objectLimits as defaultObjectLimits } from '@unikorn/core/limits';
import { systemTextRecords, type TextRecords } from '@unikorn/core/outbound';
import { leasedPart, sharedPart, type Part } from '@unikorn/core/parts';
import { bind, SagaRunner } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import {
  GlobalBindings,
  identityAuthenticator,
  RoleCatalogue,
  serviceAccountVerifier,
  Tenancy,
  userDirectory,
} from './access/index.ts';
import { identityClient, type IdentityClient } from './client/index.ts';
import { defaultHistoryRetention_ms, defaultServices, type IdentityConfiguration } from './configuration.ts';
import { aclRoutes } from './handlers/acl/index.ts';
import { allocationRoutes } from './handlers/allocations/index.ts';
import { globalRoleRoutes } from './handlers/globalroles/index.ts';
import { groupRoutes } from './handlers/groups/index.ts';
import { organizationRoutes } from './handlers/organizations/index.ts';
import { principalAclRoutes } from './handlers/principal-acl/index.ts';
import { projectRoutes } from './handlers/projects/index.ts';
import { quotaRoutes } from './handlers/quotas/index.ts';
import { referenceRoutes } from './handlers/references/index.ts';
import { roleRoutes } from './handlers/roles/index.ts';
import { serviceAccountRoutes } from './handlers/serviceaccounts/index.ts';
import { userRoutes } from './handlers/users/index.ts';
import { historyRoutes, historyRunnables, projectHistory } from './history/index.ts';
import { GlobalRoleBinding, Group, OAuth2Provider, OrganizationUser, ServiceAccount } from './kinds/index.ts';
import { createOAuth2, type OAuth2 } from './oauth2/index.ts';
import { organizationControllers, projectControllers } from './provisioners/index.ts';
import { Ledger } from './quota/index.ts';
import { writeServiceAccountSaga, writeUserSaga } from './sagas/index.ts';

export interface IdentityOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** The caches that all parts of the process share. */
  readonly caches: Caches;
  /** Identifies this run of the process. */
  readonly processName: string;
  readonly version: string;
  /**
   * The public address of the service, such as `https://cloud.example.com/identity`. It is mounted under the same path.
   */
  readonly issuer: string;
  /** 32 bytes that are kept outside the store. Secrets in the store cannot be read without them. */
  readonly encryptionKey: Uint8Array;
  /** Keys that were used before. Data that was encrypted with them can still be read. */
  readonly earlierKeys?: readonly Uint8Array[];
  readonly configuration?: IdentityConfiguration;
  /** Looks up the DNS records of a domain; uses the name servers of this machine by default. */
  readonly textRecords?: TextRecords;
}

export interface Identity extends Pick<OAuth2, 'openKeys' | 'bootstrapAdministrator' | 'setPassword' | 'isPassword'> {
  readonly service: Service;
  /** Authenticates callers for other services in this process. */
  readonly authenticator: Authenticator;
  /** The client of identity for another service in this process, by the name of its certificate. */
  client(commonName: string): IdentityClient;
  /** The parts of the service. A process runs all of them or some of them. */
  readonly parts: readonly Part[];
}

/**
 * The service with its routes and its parts.
 *
 * @example
 * const identity = createIdentity({ store, world, telemetry, caches, processName: 'host-1', version: '1.0.0', issuer: 'https://cloud.example.com/identity', encryptionKey });
 * const server = await createServer({ services: [withParts(identity.service, identity.parts)], store, world, telemetry });
 * await runParts({ world, caches }, identity.parts, signal);
 */
export function createIdentity(options: IdentityOptions): Identity {
  const {
    store,
    world,
    telemetry,
    processName,
    version,
    issuer,
    encryptionKey,
    earlierKeys = [],
    configuration = {},
  } = options;
  const context = { store, world, telemetry, caches: options.caches.scope() };

  const objectLimits = { ...defaultObjectLimits, ...configuration.objectLimits };
  const roles = new RoleCatalogue(configuration.roles);
  const bindings = new GlobalBindings(roles, configuration.globalBindings ?? {}, context.caches.of(GlobalRoleBinding));
  const tenancy = new Tenancy({ ...context, roles, bindings });
  const users = userDirectory(store);
  const services = new Map(
    Object.entries(configuration.services ?? defaultServices).map(([commonName, role]) => [
      commonName,
      roles.named(role),
    ]),
  );
  const { clients = [], providers = [] } = configuration;
  const oauth2 = createOAuth2({
    ...context,
    issuer,
    encryptionKey,
    earlierKeys,
    users,
    serviceAccounts: serviceAccountVerifier(context),
    services: new Set(services.keys()),
    tenancy,
    clients,
    providers,
    objectLimits,
  });
  const authenticator = identityAuthenticator({ tokens: oauth2.tokenVerifier, services, tenancy });

  const writeUser = bind(writeUserSaga, { store });
  const writeServiceAccount = bind(writeServiceAccountSaga, { store });
  const sagas = new SagaRunner({ ...context, processName, sagas: [writeUser, writeServiceAccount] });

  const ledger = new Ledger({ ...context, processName });
  const history = projectHistory(context);
  const contents = [Group, OrganizationUser, ServiceAccount, OAuth2Provider];
  const process = { ...context, caches: options.caches, processName };
  const parts = [
    sharedPart({
      name: 'identity/api',
      caches: context.caches,
      run: async (signal) => {
        sagas.start(signal);
        await oauth2.run(signal);
        await sagas.stop();
        await history.flush();
      },
    }),
    leasedPart(process, {
      name: 'identity/organization-controller',
      work: (caches) => organizationControllers({ ledger, contents }, { ...context, caches }),
    }),
    leasedPart(process, {
      name: 'identity/project-controller',
      work: (caches) => [
        ...projectControllers({ ledger, history }, { ...context, caches }),
        ...historyRunnables(
          history,
          { ...context, caches },
          configuration.historyRetention_ms ?? defaultHistoryRetention_ms,
        ),
      ],
    }),
    leasedPart(process, { name: 'identity/oauth2client-controller', work: () => [oauth2.sweeper] }),
  ];

  const wired: Identity = {
    authenticator,
    client: (commonName) =>
      identityClient(localCalls({ ...context, service: wired.service, commonName, instance: processName })),
    openKeys: () => oauth2.openKeys(),
    bootstrapAdministrator: (administrator) => oauth2.bootstrapAdministrator(administrator),
    setPassword: (subject, password) => oauth2.setPassword(subject, password),
    isPassword: (subject, password) => oauth2.isPassword(subject, password),
    service: {
      name: 'identity',
      contractName: 'unikorn-identity',
      version,
      ...mountedAt(issuer),
      url: issuer,
      authenticator,
      authorizationServer: issuer,
      routes: [
        ...aclRoutes(authenticator),
        ...principalAclRoutes(tenancy),
        ...organizationRoutes({ tenancy, users, textRecords: options.textRecords ?? systemTextRecords }),
        ...recordedRoutes(projectRoutes({ roles, objectLimits }), history),
        ...historyRoutes(history),
        ...referenceRoutes,
        ...groupRoutes({ roles, issuer, objectLimits }),
        ...roleRoutes(roles),
        ...globalRoleRoutes({ roles, bindings, serviceRoles: new Set(services.values()) }),
        ...userRoutes({
          roles,
          issuer,
          objectLimits,
          invite: (membership) => oauth2.invite(membership),
          writeUser: (input) => sagas.run(writeUser, input),
        }),
        ...serviceAccountRoutes({
          roles,
          objectLimits,
          writeServiceAccount: (input) => sagas.run(writeServiceAccount, input),
          tokenLifetime_ms: configuration.serviceAccountTokenLifetime_ms,
        }),
        ...quotaRoutes,
        ...allocationRoutes(ledger),
        ...oauth2.routes,
        ...sagaRoutes(() => sagas.unfinished()),
        ...controllerRoutes(),
      ],
      rawRoutes: oauth2.rawRoutes,
    },
    parts,
  };
  return wired;
}

function mountedAt(issuer: string): { readonly base?: `/${string}` } {
  const path = new URL(issuer).pathname.replace(/^\/|\/$/g, '');
  return path === '' ? {} : { base: `/${path}` };
}
