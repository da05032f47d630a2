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
  /** What some operations need in place of what is in the estate, by their names. */
  readonly spares: Estate;
  /** The token of somebody who may do nothing. */
  readonly powerless: string;
  /** Every operation that has succeeded. */
  readonly succeeded: Set<string>;
  /** A valid body of an operation by its id. */
  body(operationId: string): object;
}

/** One service of the running product as the contract's proof wants it: known by what it answers and documents. */
export function productStage(product: Product, options: StageOptions): ContractStage {
  const { service, contract, estate, spares, powerless, succeeded } = options;
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
    variable: (name, existence, operation) =>
      existence === 'absent' ? absentId : (spares[operation.name] ?? estate[name] ?? absentId),
    body: ({ name }) => options.body(ids.get(name) ?? name),
  };
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

/** The ids of operations that take a body and that no document tells of. */
const undocumented: Estate = {
  'POST /api/v1/organizations/{organizationID}/projects/{projectID}/allocations': 'createAllocation',
  'PUT /api/v1/organizations/{organizationID}/projects/{projectID}/allocations/{allocationID}': 'updateAllocation',
  'POST /api/v2/servers': 'createServer',
  'PUT /api/v2/servers/{serverID}': 'updateServer',
  'POST /api/v2/servers/{serverID}/snapshot': 'snapshotServer',
};

/**
 * The hidden operations of the contract that are served, which a path betrays when it refuses another method. What they
 * declare is not to be seen, so it is taken to be what the contract says; what they answer is looked at all the same.
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

/** What applications and browsers log in with, which has an order of checks of its own. */
export function isProtocol({ path }: ApiOperation): boolean {
  return /^\/(oauth2|oidc)\/|openid-configuration$/.test(path);
}
