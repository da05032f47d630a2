import { tokenCaller, type Acl, type Authenticator, type Operation } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { createServer, IdempotencyRecord } from '@unikorn/core/http';
import { ReferenceRecord } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { Organization } from '../kinds/organization.ts';
import { Project } from '../kinds/project.ts';
import { Allocation, QuotaLedger } from '../kinds/quota.ts';
import { Ledger } from '../quota/index.ts';
import { allocationRoutes } from './allocations/index.ts';
import { quotaRoutes } from './quotas/index.ts';
import { referenceRoutes } from './references/index.ts';

export const organizationId = 'a0000000-0000-4000-8000-000000000001';
export const foreignId = 'a0000000-0000-4000-8000-000000000002';
export const absentId = 'f0000000-0000-4000-8000-000000000001';
export const projectId = 'b0000000-0000-4000-8000-000000000001';
export const siblingId = 'b0000000-0000-4000-8000-000000000002';

const all: readonly Operation[] = ['create', 'read', 'update', 'delete'];
const grant = (name: string, ...operations: readonly Operation[]) => ({ name, operations });

/** Tokens by the permissions of their holders, which are those of built-in roles. */
export const holders = {
  service: {
    global: [
      grant('identity:allocations', ...all),
      grant('identity:projects/references', 'create', 'delete'),
      grant('identity:projects', 'read'),
    ],
  },
  platform: { global: [grant('identity:quotas', ...all), grant('identity:projects', ...all)] },
  auditor: {
    organizations: [
      { id: organizationId, endpoints: [grant('identity:quotas', 'read'), grant('identity:projects', 'read')] },
    ],
  },
  member: {
    organizations: [
      {
        id: organizationId,
        endpoints: [grant('identity:quotas', 'read')],
        projects: [{ id: projectId, endpoints: [grant('identity:projects', 'read')] }],
      },
    ],
  },
  stranger: {
    organizations: [
      { id: foreignId, endpoints: [grant('identity:quotas', 'read', 'update'), grant('identity:allocations', ...all)] },
    ],
  },
} as const satisfies Record<string, Acl>;
export type Holder = keyof typeof holders;

const isHolder = (token: string): token is Holder => Object.hasOwn(holders, token);

const authenticator: Authenticator = {
  authenticate(credentials, scope) {
    if (credentials.type !== 'token' || !isHolder(credentials.token))
      return Promise.reject(new Problem('access_denied', 'the token is not valid'));
    return Promise.resolve(
      tokenCaller({ subject: credentials.token, accountType: 'user', organizationIds: [] }, scope),
    );
  },
  access: ({ subject }) => Promise.resolve(isHolder(subject) ? holders[subject] : {}),
};

/** The routes of the ledger on a memory store, without the rest of identity. */
export async function startLedgerRoutes() {
  const world = virtualWorld();
  const telemetry = silentTelemetry();
  const store = openMemoryStore({
    world,
    kinds: [Organization, Project, Allocation, QuotaLedger, IdempotencyRecord, ReferenceRecord],
  });
  await store.create(Organization, { metadata: { name: organizationId }, spec: {} });
  for (const name of [projectId, siblingId]) {
    await store.create(Project, {
      metadata: { name, labels: { [labels.organization]: organizationId }, finalizers: ['unikorn'] },
      spec: { groupIDs: [] },
    });
  }
  const ledger = new Ledger({ store, world, telemetry, processName: 'test' });
  const routes = [...quotaRoutes, ...allocationRoutes(ledger), ...referenceRoutes];
  const server = await createServer({
    services: [
      { name: 'identity', version: '0', routes, authenticator, authorizationServer: 'https://identity.example.com' },
    ],
    store,
    world,
    telemetry,
    contract: 'enforced',
  });
  const call = async (
    holder: Holder,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const response = await server.inject({
      method,
      url: `/api/v1/organizations/${path}`,
      headers: { authorization: `Bearer ${holder}`, ...headers },
      ...(payload ? { payload } : {}),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : response.json<unknown>(),
      etag: response.headers.etag,
    };
  };
  return { world, store, server, ledger, call };
}
