import { systemWorld } from '@unikorn/core/world';

import type { ServiceName } from '../running.fixture.ts';
import type { Answered, Ask } from './opened.fixture.ts';

/** The data of a state: by collection, then by object. */
export type Said = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Everything that a state must still contain after a later version has opened it. */
export interface Facts {
  /** When the process that made the state was killed. Later times come from the process that opened it. */
  readonly madeAt: string;
  readonly readAt: string;
  /** The sagas that were unfinished then. */
  readonly sagas: readonly string[];
  /** Tokens of service accounts, by name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The ids of deleted instances that are still recorded, by name. */
  readonly gone: Readonly<Record<string, string>>;
  readonly said: Said;
}

interface Listed {
  readonly metadata: { readonly id: string; readonly provisioningStatus?: string };
}

const regionCollections = [
  'networks',
  'securitygroups',
  'loadbalancers',
  'sshcertificateauthorities',
  'filestorage',
  'filestorageclasses',
  'servers',
] as const;
const organizationCollections = ['projects', 'groups', 'users', 'serviceaccounts', 'roles', 'oauth2providers'] as const;
const services = ['identity', 'region', 'compute'] as const;

/** Waits until no operation is in progress. Resources that cannot succeed stay in `error`. */
export async function settled(ask: Ask, patience_ms = 120_000): Promise<void> {
  const end = systemWorld.monotonic_ms() + patience_ms;
  for (let calm = 0; calm < 3;) {
    const busy = await underWay(ask);
    calm = busy.length === 0 ? calm + 1 : 0;
    if (systemWorld.monotonic_ms() > end) throw new Error(`still in progress: ${busy.join(', ')}`);
    await systemWorld.sleep(500);
  }
}

/** Resources that are unfinished or changing. */
export async function underWay(ask: Ask): Promise<readonly string[]> {
  const busy: string[] = [];
  for (const service of services) {
    for (const saga of asList((await ask(service, 'GET', '/api/v1/sagas')).body))
      busy.push(`saga ${JSON.stringify(saga)}`);
  }
  const look = async (service: ServiceName, path: string) => {
    for (const { metadata } of asList((await ask(service, 'GET', path)).body) as readonly Listed[]) {
      if (metadata.provisioningStatus !== undefined && !['provisioned', 'error'].includes(metadata.provisioningStatus))
        busy.push(`${path} ${metadata.id} ${metadata.provisioningStatus}`);
    }
  };
  for (const collection of regionCollections) await look('region', `/api/v2/${collection}`);
  await look('compute', '/api/v2/instances');
  await look('identity', '/api/v1/organizations');
  return busy;
}

/** Reads everything that the API shows, also in organizations that are known but not listed. */
export async function readFacts(
  ask: Ask,
  made: Omit<Facts, 'readAt' | 'said'>,
  known: readonly string[] = [],
): Promise<Facts> {
  const said: Record<string, Record<string, unknown>> = {};
  const note = (collection: string, key: string, value: unknown) => {
    (said[collection] ??= {})[key] = value;
  };
  const get = async (service: ServiceName, path: string, options = {}) =>
    expectOk(path, await ask(service, 'GET', path, options));
  const list = async (service: ServiceName, path: string, collection: string): Promise<readonly Listed[]> => {
    const listed = asList(await get(service, path)) as readonly Listed[];
    for (const each of listed) note(collection, each.metadata.id, each);
    return listed;
  };

  const organizations = await list('identity', '/api/v1/organizations', 'organizations');
  const organizationIds = [...new Set([...organizations.map(({ metadata }) => metadata.id), ...known])];
  for (const organizationId of organizationIds) {
    const at = `/api/v1/organizations/${organizationId}`;
    for (const collection of organizationCollections) await list('identity', `${at}/${collection}`, collection);
    note('quotas', organizationId, byKind(await get('identity', `${at}/quotas?include=allocations`)));
  }
  for (const { metadata } of await list('region', '/api/v2/regions', 'regions')) {
    const at = `/api/v2/regions/${metadata.id}`;
    await list('region', `${at}/flavors`, 'flavors');
    await list('region', `${at}/images`, 'images');
    for (const organizationId of organizationIds)
      await list('region', `${at}/images?organizationID=${organizationId}&scope=owned`, 'images of organizations');
    note('external networks', metadata.id, await get('region', `${at}/externalnetworks`));
    note('simulations', metadata.id, await get('region', `${at}/simulation`));
  }
  for (const collection of regionCollections) await list('region', `/api/v2/${collection}`, collection);
  for (const { metadata } of await list('compute', '/api/v2/instances', 'instances')) {
    note('histories', metadata.id, await get('compute', `/api/v2/instances/${metadata.id}/history?limit=1000`));
    const { status, body } = await ask('compute', 'GET', `/api/v2/instances/${metadata.id}/sshkey`);
    note('ssh keys', metadata.id, { status, privateKey: (body as { readonly privateKey?: string }).privateKey });
  }
  for (const [name, id] of Object.entries(made.gone))
    note('histories', name, await get('compute', `/api/v2/instances/${id}/history?limit=1000`));
  for (const [name, token] of Object.entries(made.tokens)) {
    note('access', name, await get('identity', '/api/v1/acl', { token }));
    note(
      'instances seen by',
      name,
      (asList(await get('compute', '/api/v2/instances', { token })) as readonly Listed[])
        .map(({ metadata }) => metadata.id)
        .toSorted(),
    );
  }
  return { ...made, readAt: new Date(systemWorld.now()).toISOString(), said };
}

function expectOk(path: string, { status, body }: Answered): unknown {
  if (status !== 200) throw new Error(`GET ${path} was answered with ${status} ${JSON.stringify(body)}`);
  return body;
}

function asList(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) throw new Error(`not a list: ${JSON.stringify(body)}`);
  return body;
}

interface Quotas {
  readonly quotas: readonly { readonly kind: string; readonly allocations?: readonly { readonly id: string }[] }[];
}

/** The order has no meaning. */
function byKind(body: unknown): object {
  const { quotas } = body as Quotas;
  return Object.fromEntries(
    quotas.map(({ kind, allocations = [], ...rest }) => [
      kind,
      { ...rest, allocations: Object.fromEntries(allocations.map(({ id, ...allocation }) => [id, allocation])) },
    ]),
  );
}
