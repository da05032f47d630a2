import { describe, expect, it } from 'vitest';

import { startCompute } from './testing/index.ts';

describe('compute', () => {
  it('returns its name and version to callers with a token', async () => {
    const compute = await startCompute();
    expect(await compute.call('GET', '/api/version')).toMatchObject({
      status: 200,
      body: { name: 'unikorn-compute-server', version: '0.0.0' },
    });
    await compute.stop();
  });
});
