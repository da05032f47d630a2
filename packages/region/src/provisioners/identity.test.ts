import { describe, expect, it } from 'vitest';

import { Problem, type ProblemCode } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import type { IdentityClient } from '@unikorn/identity/client';

import { Identity, regionKinds } from '../kinds/index.ts';
import { Providers } from '../regions/index.ts';
import { identityProvisioner } from './identity.ts';

const label = { [labels.organization]: 'o', [labels.project]: 'p', [labels.region]: 'r' };

/** An attempt at a principal whose project cannot be held for this reason. */
async function attempt(code: ProblemCode) {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: regionKinds });
  const principal = await store.create(Identity, {
    metadata: { name: 'i', labels: label },
    spec: { provider: 'simulated' },
  });
  const identityClient: Pick<IdentityClient, 'addProjectReference'> = {
    addProjectReference: () => Promise.reject(new Problem(code, 'raw')),
  };
  const providers = new Providers({ store, world }, {});
  const provisioner = identityProvisioner({ store, providers, identityClient: identityClient as IdentityClient });
  return provisioner.provision(principal, {
    log: silentTelemetry().log,
    signal: new AbortController().signal,
    attempt: 1,
  });
}

describe('a principal whose project cannot be held', () => {
  it.each([
    ['is gone', 'not_found', { type: 'park', reason: 'DependencyNotFound', message: 'project p does not exist' }],
    [
      'is being deleted',
      'invalid_request',
      { type: 'yield', reason: 'DependencyFailed', message: 'project p is being deleted' },
    ],
  ] as const)('because it %s makes nothing in the cloud and says so', async (_why, code, outcome) => {
    expect(await attempt(code)).toEqual(outcome);
  });

  it('for any other reason is tried again', async () => {
    await expect(attempt('server_error')).rejects.toMatchObject({ code: 'server_error' });
  });
});
