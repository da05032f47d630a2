import {
  contractOperations,
  readOperations,
  type ApiOperation,
  type ContractStage,
  type ServedApi,
  type WireAnswer,
  type WireRequest,
} from '@unikorn/core/testing/contract';
import { absentId } from '@unikorn/identity/testing';
import type { Estate } from '@unikorn/region/testing';

import type { Product, ServiceName } from './running.fixture.ts';

export type Contract = Parameters<typeof contractOperations>[0];

export interface StageOptions {
  readonly service: ServiceName;
  readonly contract: Contract;
  readonly estate: Estate;
  /** Resources that some operations need instead of those of the estate, by name. */
  readonly spares: Estate;
  /** The region of imported images, if it is another one than that of the estate. */
  readonly importRegionId?: string | undefined;
  /** The token of a caller without rights. */
  readonly powerless: string;
  /** Every operation that has succeeded. */
  readonly succeeded: Set<string>;
  /** A valid body of an operation by its id. */
  body(operationId: string): object;
}

/** One service of the running product for the contract test: only its responses and documents are known. */
export function productStage(product: Product, options: StageOptions): ContractStage {
  const { service, contract, estate, spares, powerless, succeeded, importRegionId } = options;
  const base = product.credentials.endpoints[service];
  const ids = new Map<string, string>(Object.entries(undocumented));
  const send = async ({ operation, method, url, headers, payload }: WireRequest): Promise<WireAnswer> => {
    const answer = await product.send(`${base}${url}`, {
      method,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    if (answer.statusCode < 400) succeeded.add(`${service} ${operation.name}`);
    return answer;
  };
  return {
    send,
    served: async () => {
      const document: unknown = JSON.parse((await product.send(`${base}/openapi.json`, { method: 'GET' })).body);
      const published = readOperations({ document }, 'document');
      for (const { name, operationId } of published) if (operationId !== undefined) ids.set(name, operationId);
      return {
        published,
        ...(await unpublished(contractOperations(contract), published, (url) =>
          product.send(`${base}${url}`, { method: 'PATCH' }),
        )),
      };
    },
    callers: { everything: bearer(product.credentials.adminToken), nothing: bearer(powerless) },
    variable: (name, existence, operation) => {
      if (existence === 'absent') return absentId;
      const elsewhere = name === 'regionID' && isAboutImports(operation) ? importRegionId : undefined;
      return elsewhere ?? spares[operation.name] ?? estate[name] ?? absentId;
    },
    body: ({ name }) => options.body(ids.get(name) ?? name),
  };
}

function isAboutImports({ method, path }: ApiOperation): boolean {
  return path.includes('{imageID}') || (method === 'POST' && path.endsWith('/images'));
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

/** The ids of operations with a body that are in no document. */
const undocumented: Estate = {
  'POST /api/v1/organizations/{organizationID}/projects/{projectID}/allocations': 'createAllocation',
  'PUT /api/v1/organizations/{organizationID}/projects/{projectID}/allocations/{allocationID}': 'updateAllocation',
  'POST /api/v2/servers': 'createServer',
  'PUT /api/v2/servers/{serverID}': 'updateServer',
  'POST /api/v2/servers/{serverID}/snapshot': 'snapshotServer',
};

/**
 * The hidden operations of the contract that are served. A path shows them when it refuses another method. Their
 * declarations cannot be seen, so those of the contract are used; their responses are still checked.
 */
async function unpublished(
  contract: readonly ApiOperation[],
  published: readonly ApiOperation[],
  refusal: (url: string) => Promise<WireAnswer>,
): Promise<Pick<ServedApi, 'declared' | 'raw'>> {
  const hidden = contract.filter(
    ({ name, hidden: isHidden }) => isHidden && !published.some((ours) => ours.name === name),
  );
  const served: ApiOperation[] = [];
  for (const operation of hidden) {
    const { headers } = await refusal(operation.path.replaceAll(/\{[^}]+\}/g, absentId));
    if (String(headers['allow']).split(', ').includes(operation.method)) served.push(operation);
  }
  return {
    declared: [...published, ...served.filter((operation) => !isProtocol(operation))],
    raw: served.filter(isProtocol).map(({ name }) => name),
  };
}

/** Login operations of applications and browsers, which have their own order of checks. */
export function isProtocol({ path }: ApiOperation): boolean {
  return /^\/(oauth2|oidc)\/|openid-configuration$/.test(path);
}
