import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Lookups, Named } from '../nouns/noun.ts';
import { organization } from '../nouns/organization.ts';
import { cli, cliOn, environmentOf, fakeTerminal, startProduct, type Product } from '../testing/product.ts';

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

it('the login provider of an organization is named, whatever organization the command is in', async () => {
  const provider = ['--issuer', 'https://login.acme.example', '--client-id', 'unikorn', '--client-secret', '-'];
  const made = await cliOn(
    fakeTerminal({ env: environmentOf(product), input: 'secret\n' }),
    ...['loginprovider', 'create', 'corporate', ...provider, '-o', 'json'],
  );
  expect(made.code).toBe(0);
  const { id } = (JSON.parse(made.stdout) as { readonly metadata: { readonly id: string } }).metadata;
  const update = ['organization', 'update', 'demo', '--provider-scope', 'organization', '--provider-id'];
  const providerOf = async () =>
    JSON.parse((await unikorn('organization', 'get', 'demo', '-o', 'json')).stdout) as unknown;
  // The platform administrator has no organization in the context.
  expect(await asPlatform(...update, 'corporate')).toMatchObject({ code: 0 });
  expect(await providerOf()).toMatchObject({ spec: { providerID: id } });
  expect(await unikorn(...update, id)).toMatchObject({ code: 0 });
  expect(await unikorn(...update, 'corporation')).toMatchObject({
    code: 4,
    stderr: 'error: there is no login provider corporation\nthe login providers are corporate\n',
  });
  expect(await providerOf()).toMatchObject({ spec: { providerID: id } });
});

it('a provider of the platform is named too, and one that several have is refused', async () => {
  const provider = (id: string, name: string): Named => ({ metadata: { id, name } });
  const ofPlatform = [provider('p1', 'google'), provider('p2', 'corporate')];
  const lookups: Lookups = {
    find: () => Promise.reject(new Error('not used')),
    list: ({ scope }) => Promise.resolve(scope.includes('organization') ? [provider('p3', 'corporate')] : ofPlatform),
  };
  const sent = (verb: 'create' | 'update', text: string) =>
    organization.fields.find(({ flag, on }) => flag === 'provider-id' && on === verb)?.complete?.(text, lookups);
  expect(await sent('create', 'google')).toBe('p1');
  expect(await sent('update', 'google')).toBe('p1');
  expect(await sent('update', 'p3')).toBe('p3');
  // A new organization has no provider of its own yet.
  expect(await sent('create', 'corporate')).toBe('p2');
  await expect(sent('update', 'corporate')).rejects.toThrow('several login providers are called corporate');
});
