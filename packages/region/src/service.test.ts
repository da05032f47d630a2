import { describe, expect, it } from 'vitest';

import { startRegion } from './testing/index.ts';

describe('region', () => {
  it('returns its name and version to every caller with a token', async () => {
    const region = await startRegion();
    expect(await region.call('GET', '/api/version')).toMatchObject({
      status: 200,
      body: { name: 'unikorn-region-controller', version: '0.0.0' },
    });
    await region.stop();
  });
});
