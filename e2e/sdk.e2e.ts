import { join } from 'node:path';

import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type * as SdkModule from '@unikorn/sdk';

import { startProduct } from './product.fixture.ts';

let product: Awaited<ReturnType<typeof startProduct>>;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product.stop());

/** The SDK as a page would load it: one script that defines `Sdk`. */
async function bundle(): Promise<string> {
  const built = await build({
    root: join(import.meta.dirname, '..'),
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: 'packages/sdk/src/index.ts', formats: ['iife'], name: 'Sdk', fileName: 'sdk' },
    },
  });
  const result = Array.isArray(built) ? built.at(0) : built;
  if (!result || !('output' in result)) throw new Error('nothing was built');
  return result.output[0].code;
}

it('the SDK creates an instance, sees it become ready and disappear, and reports refusals, in a browser', async () => {
  const base = await product.unikorn.ready();
  const {
    token = '',
    organizationId = '',
    projectId = '',
    networkId = '',
    flavorId = '',
    imageId = '',
  } = product.unikorn.credentials();
  const page = await product.browser.newPage({ bypassCSP: true });
  await page.goto(`${base}/compute/docs/`);
  await page.addScriptTag({ content: await bundle() });
  const order = {
    metadata: { name: 'from-a-page' },
    spec: { organizationId, projectId, networkId, flavorId, imageId },
  };
  const story = await page.evaluate(
    async ({ endpoints, token: bearer, order: body }) => {
      const { connect, dataOf, settled, gone } = (globalThis as unknown as { Sdk: typeof SdkModule }).Sdk;
      const { compute } = connect({ endpoints, token: bearer });
      const { metadata } = await dataOf(compute.POST('/api/v2/instances', { body }));
      const params = { path: { instanceID: metadata.id } };
      const one = () =>
        compute.follow('/api/v2/instances/{instanceID}', { params, signal: AbortSignal.timeout(30_000) });
      const ready = await settled(one());
      await dataOf(compute.DELETE('/api/v2/instances/{instanceID}', { params }));
      await gone(one());
      const missing = await dataOf(compute.GET('/api/v2/instances/{instanceID}', { params })).catch(
        (error: unknown) => error,
      );
      return { status: ready.metadata.provisioningStatus, missing: String(missing) };
    },
    { endpoints: base, token, order },
  );
  expect(story).toEqual({
    status: 'provisioned',
    missing: expect.stringMatching(/^ApiError: .* does not exist$/) as string,
  });
});
