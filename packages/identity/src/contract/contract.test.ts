import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lintOpenApi } from '@unikorn/core/testing';
import {
  answerGaps,
  contractOperations,
  describeContract,
  inProcess,
  type ApiOperation,
} from '@unikorn/core/testing/contract';

import { accessConfiguration, accessTenants, startIdentity } from '../testing/index.ts';
import { deviations } from './deviations.fixture.ts';
import identity from './identity.json' with { type: 'json' };

const contract = { documents: { 'identity.json': identity }, contract: 'identity.json' };
const provider = { name: 'Example', issuer: 'https://login.example.com', clientID: 'unikorn' };

/** The service with a resource of every kind. */
async function stage() {
  const running = await startIdentity({ configuration: { ...accessConfiguration, providers: [provider] } });
  const { store, world, identity: served } = running;
  const tenants = await accessTenants({ store, world, client: served.client('unikorn-region') });
  await world.settle();
  return { ...running, tenants };
}

describeContract('identity', {
  ...contract,
  deviations,
  async start() {
    const running = await stage();
    const { server, tenants } = running;
    return {
      ...inProcess(running.identity.service, server, (operationId) => tenants.body(operationId, 'own project')),
      callers: {
        everything: tenants.callers['platform-administrator'] ?? {},
        nothing: tenants.callers['nobody'] ?? {},
      },
      variable: (name, existence) => tenants.variable(name, existence === 'present' ? 'own project' : 'absent object'),
      stop: () => running.stop(),
    };
  },
});

describe('besides what it declares', () => {
  let running: Awaited<ReturnType<typeof stage>>;
  beforeAll(async () => {
    running = await stage();
  });
  afterAll(() => running.stop());

  /** A valid body at any path of the protocol: a token exchange, which userinfo also accepts. */
  const form = (token: string) =>
    new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      access_token: token,
    }).toString();

  async function send({ method, path }: ApiOperation, token: string) {
    const said =
      method === 'GET'
        ? { headers: { authorization: `Bearer ${token}` } }
        : { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: form(token) };
    return running.server.inject({ method, url: `/identity${path}`, ...said });
  }

  const protocol = contractOperations(contract).filter(
    ({ path, responses }) => /^\/oauth2\/|openid-configuration$/.test(path) && responses.get(200)?.json !== undefined,
  );

  it.each(protocol)('$name answers as in the contract, for known and unknown clients', async (operation) => {
    const known = await send(
      operation,
      running.tenants.callers['administrator']?.['authorization']?.replace('Bearer ', '') ?? '',
    );
    expect([known.statusCode, answerGaps(operation, known)]).toEqual([200, []]);
    expect(answerGaps(operation, await send(operation, 'nonsense'))).toEqual([]);
  });

  it('the document follows the house rules', async () => {
    expect(lintOpenApi((await running.server.inject({ url: '/identity/openapi.json' })).json())).toEqual([]);
  });

  it('the service returns its name and version to callers with a token', async () => {
    expect(await running.call('GET', '/api/version', { token: 'user:nobody@example.com' })).toMatchObject({
      status: 200,
      body: { name: 'unikorn-identity', version: '0.0.0' },
    });
  });
});
