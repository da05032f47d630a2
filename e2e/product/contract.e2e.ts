import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { answerGaps, contractOperations, type ApiOperation, type WireAnswer } from '@unikorn/core/testing/contract';

import { contracts, describeServiceContract, furnishings, leftOut, type Ground } from './contract.fixture.ts';
import { openOrganization } from './estate.fixture.ts';
import { walkLogin } from './login.fixture.ts';
import { refusalsIn, type Refused } from './refusals.fixture.ts';
import { startProduct, type Product } from './running.fixture.ts';
import { isProtocol } from './stage.fixture.ts';
import { simulatedRegion } from './test-region.fixture.ts';

let product: Product;
const succeeded = new Set<string>();

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product.stop());

const ground = (): Ground => ({ product, ...simulatedRegion(product) });

for (const service of ['identity', 'region', 'compute'] as const)
  describeServiceContract(service, ground, { succeeded });

describe('requests that only a handler can refuse, in the running product', () => {
  it('get the status of the contract, and after all checks before the handler', async () => {
    const { estate: tenancy, powerless } = await openOrganization(product, 'contract-refusals');
    const refusals = refusalsIn((await furnishings.compute(ground(), tenancy)).estate);
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
    expect(leftOut(service, succeeded)).toEqual([]);
  });
});
