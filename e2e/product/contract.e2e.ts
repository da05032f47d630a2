import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  answerGaps,
  contractOperations,
  describeContract,
  type ApiOperation,
  type Deviation,
  type WireAnswer,
} from '@unikorn/core/testing/contract';
import { computeBody, computeSpares, runningInstance } from '@unikorn/compute/testing';
import { identityBody } from '@unikorn/identity/testing';
import identity from '@unikorn/identity/testing/contract.json' with { type: 'json' };
import { regionBody, regionSpares, type Estate } from '@unikorn/region/testing';
import region from '@unikorn/region/testing/contract.json' with { type: 'json' };

import { currentCompute } from '../../packages/compute/src/contract/delta.fixture.ts';
import { deviations as computeDeviations } from '../../packages/compute/src/contract/deviations.fixture.ts';
import { deviations as identityDeviations } from '../../packages/identity/src/contract/deviations.fixture.ts';
import { deviations as regionDeviations } from '../../packages/region/src/contract/deviations.fixture.ts';
import { furnishedRegion, handsOn, openOrganization } from './estate.fixture.ts';
import { walkLogin } from './login.fixture.ts';
import { refusalsIn, type Refused } from './refusals.fixture.ts';
import { startProduct, type Product, type ServiceName } from './running.fixture.ts';
import { isProtocol, productStage, type Contract } from './stage.fixture.ts';

const contracts: Readonly<Record<ServiceName, Contract>> = {
  identity: { documents: { 'identity.json': identity }, contract: 'identity.json' },
  region: { documents: { 'region.json': region, 'identity.json': identity }, contract: 'region.json' },
  compute: {
    documents: { 'compute.json': currentCompute, 'region.json': region, 'identity.json': identity },
    contract: 'compute.json',
  },
};

/** Deviations that only occur in the complete product. */
const onlyHere: readonly Deviation[] = [
  {
    where: /^GET \/api\/v1\/oauth2providers \(a valid request .*: was answered with an empty list/,
    why: 'it starts without public login providers',
  },
  {
    where: /^GET \S+\/serviceaccounts \(without the right .*: was answered with 200 \[.*"powerless"/,
    why: 'the caller is a service account, which may always see itself',
  },
];

const deviations: Readonly<Record<ServiceName, readonly Deviation[]>> = {
  identity: [...seen(identityDeviations), ...onlyHere],
  region: seen(regionDeviations),
  compute: seen(computeDeviations),
};

/** Without the deviations about declarations that no client can see. */
function seen(listed: readonly Deviation[]): readonly Deviation[] {
  return listed.filter(({ hidden }) => !hidden);
}

let product: Product;
const succeeded = new Set<string>();

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product.stop());

interface Furnished {
  readonly estate: Estate;
  readonly spares: Estate;
  body(operationId: string): object;
}

const furnishings: Readonly<Record<ServiceName, (estate: Estate) => Promise<Furnished>>> = {
  identity: (estate) =>
    Promise.resolve({
      estate,
      spares: {},
      body: (operationId) => identityBody(operationId, estate['projectID'] ?? ''),
    }),
  region: async (tenancy) => {
    const estate = await furnishedRegion(product, tenancy, 'walked');
    const body = (operationId: string) => regionBody(operationId, (word) => estate[word] ?? '');
    return { estate, body, spares: await regionSpares(handsOn(product, 'region'), body) };
  },
  compute: async (tenancy) => {
    const estate = await furnishedRegion(product, tenancy, 'seated');
    const body = (operationId: string) =>
      computeBody(operationId, (word) => estate[word] ?? '', operationId === 'createInstance' ? 'another' : 'walked');
    const hands = handsOn(product, 'compute');
    const instanceID = await runningInstance(hands, { ...body('createInstance'), metadata: { name: 'walked' } });
    return { estate: { ...estate, instanceID }, body, spares: await computeSpares(hands, body('createInstance')) };
  },
};

for (const service of ['identity', 'region', 'compute'] as const) {
  describeContract(`${service} in the running product`, {
    ...contracts[service],
    deviations: deviations[service],
    start: async () => {
      const { estate: tenancy, powerless } = await openOrganization(product, `contract-${service}`);
      const furnished = await furnishings[service](tenancy);
      return {
        ...productStage(product, { service, contract: contracts[service], powerless, succeeded, ...furnished }),
        stop: () => Promise.resolve(),
      };
    },
  });
}

describe('requests that only a handler can refuse, in the running product', () => {
  it('get the status of the contract, and after all checks before the handler', async () => {
    const { estate: tenancy, powerless } = await openOrganization(product, 'contract-refusals');
    const refusals = refusalsIn((await furnishings.compute(tenancy)).estate);
    const found: object[] = [];
    for (const refusal of refusals) found.push({ because: refusal.because, ...(await provoke(refusal, powerless)) });
    const described = (says: string) =>
      expect.objectContaining({ error_description: expect.stringContaining(says) as string }) as object;
    expect(found).toEqual(
      refusals.map(({ because, status, error, says = '' }) => ({
        because,
        status,
        error,
        body: described(says),
        toStrangers: 401,
        toBystanders: expect.toBeOneOf([403, 404]) as number,
        malformed: 400,
      })),
    );
  });
});

/**
 * The refusal, and the responses for callers with a bad token, without rights, and without rights and with an invalid
 * body.
 */
async function provoke({ service, method, path, body: sent }: Refused, powerless: string) {
  const ask = (token: string, body = sent) => product.call(service, method, path, { token, ...(body ? { body } : {}) });
  const { status, body } = await ask(product.credentials.adminToken);
  return {
    status,
    error: (body as { readonly error?: string }).error,
    body,
    toStrangers: (await ask('nonsense')).status,
    toBystanders: (await ask(powerless)).status,
    malformed: sent ? (await ask(powerless, { metadata: 7 })).status : 400,
  };
}

describe('logging in, in the running product', () => {
  const operations = contractOperations(contracts.identity).filter(isProtocol);

  it('starts where the challenge for a caller without a token leads', async () => {
    const { headers } = await product.send(`${product.credentials.endpoints.compute}/api/v2/instances`, {
      method: 'GET',
    });
    const address = /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate']))?.[1] ?? '';
    const {
      authorization_servers: [issuer = ''],
    } = JSON.parse((await product.send(address, { method: 'GET' })).body) as {
      readonly authorization_servers: readonly string[];
    };
    const { statusCode, body } = await product.send(`${issuer}/.well-known/openid-configuration`, { method: 'GET' });
    expect([statusCode, body]).toEqual([200, expect.stringContaining(`"issuer":"${issuer}"`)]);
  });

  it('works as in the contract, except that browsers are redirected with the status that is recommended today', async () => {
    const answers = await walkLogin(product);
    const findings = operations.flatMap((operation) => {
      const answer = answers.get(operation.name);
      if (answer && answer.statusCode < 400) succeeded.add(`identity ${operation.name}`);
      return answer ? protocolGaps(operation, answer).map((gap) => `${operation.name} ${gap}`) : [];
    });
    expect(findings).toEqual(
      ['GET', 'POST'].map((method) => `${method} /oauth2/v2/authorization was answered with 303`),
    );
  });
});

/** Pages and redirects are only checked by their status. */
function protocolGaps(operation: ApiOperation, answer: WireAnswer): readonly string[] {
  if (operation.responses.get(200)?.json) return answerGaps(operation, answer);
  return operation.responses.has(answer.statusCode) ? [] : [`was answered with ${answer.statusCode}`];
}

describe('no operation of the contract', () => {
  it.each(['identity', 'region', 'compute'] as const)('was left out in %s', (service) => {
    const notServed = (name: string) => deviations[service].some(({ where }) => where.test(`${name}: is not served`));
    const names = contractOperations(contracts[service]).map(({ name }) => name);
    expect(names.filter((name) => !succeeded.has(`${service} ${name}`) && !notServed(name))).toEqual([]);
  });
});
