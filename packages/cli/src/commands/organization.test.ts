import { afterAll, beforeAll, expect, it } from 'vitest';

import { cli, cliOn, fakeTerminal, startProduct, type Product } from '../testing/product.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const unikorn = (...args: readonly string[]) => cli(product, ...args);
const asPlatform = (...args: readonly string[]) =>
  cliOn(fakeTerminal({ env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: product.credentials.adminToken } }), ...args);

it('an organization verifies its domain: first it gets the DNS record, then it is verified', async () => {
  expect(await unikorn('organization', 'verify', 'demo')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      'error: organization demo has no domain\nset it first: unikorn organization update demo --type domain',
    ) as string,
  });
  const update = ['organization', 'update', 'demo', '--type', 'domain', '--domain', 'acme.example'];
  expect(await unikorn(...update)).toMatchObject({ code: 0 });

  const proof = `unikorn-organization=${product.credentials.organizationId}`;
  const open = await unikorn('organization', 'verify', 'demo');
  expect(open).toEqual({
    code: 1,
    stdout: `Name:   _unikorn.acme.example\nType:   TXT\nValue:  ${proof}\n`,
    stderr: [
      'error: domain acme.example of organization demo is not verified\n',
      'publish this DNS record, then verify it again: unikorn organization verify demo\n',
    ].join(''),
  });
  const json = await unikorn('organization', 'verify', 'demo', '-o', 'json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ verified: false, record: { type: 'TXT', value: proof } });

  // Operators of the platform need no record.
  const verified = { code: 0, stdout: 'domain acme.example of organization demo is verified\n' };
  expect(await asPlatform('organization', 'verify', 'demo')).toMatchObject(verified);
  expect(await unikorn('organization', 'verify', 'demo')).toMatchObject(verified);
});
