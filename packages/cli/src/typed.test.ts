import { expect, it } from 'vitest';

import { ApiError } from '@unikorn/sdk';

import { instance } from './nouns/instance.ts';
import { loadbalancer } from './nouns/loadbalancer.ts';
import { network } from './nouns/network.ts';
import { user } from './nouns/user.ts';
import { asTyped, refusedAsTyped, withFlagNames } from './typed.ts';

it.each([
  [network, 'create', 'body.metadata.name: must be a name', 'name: must be a name'],
  [network, 'update', 'body.metadata.name: must be a name', '--name: must be a name'],
  [user, 'create', 'spec.subject: must be a mail address', 'mail address: must be a mail address'],
  [network, 'create', 'spec.prefix: must be /24 or shorter', '--prefix: must be /24 or shorter'],
  [network, 'create', 'spec.dnsNameservers.0: must be an address', '--dns: must be an address'],
  [network, 'create', 'spec.dnsNameservers.1: must be an address', '--dns (number 2): must be an address'],
  [network, 'create', 'spec.routes.0.nexthop: must be an address', '--routes (nexthop): must be an address'],
  [
    loadbalancer,
    'create',
    'body.spec.listeners.1.pool.members.0.port: must be <= 65535',
    '--listener (number 2, pool.members.0.port): must be <= 65535',
  ],
  [
    network,
    'create',
    'body.metadata.tags.0.value: must have at most 255 characters',
    '--tag: must have at most 255 characters',
  ],
  [instance, 'create', 'spec.projectId: project p does not exist', '--project: project p does not exist'],
  [network, 'create', 'spec.somethingNew: must be there', 'spec.somethingNew: must be there'],
  [network, 'create', 'the name is taken', 'the name is taken'],
] as const)('%o %s: %s', (noun, writing, message, typed) => {
  expect(asTyped(noun, writing, message)).toBe(typed);
});

it('a translated refusal keeps its type', () => {
  const error = new ApiError({
    status: 400,
    code: 'invalid_request',
    message: 'spec.prefix: must be /24 or shorter',
    traceId: 't',
    body: {},
    request: 'POST /',
  });
  expect(() => refusedAsTyped(network, 'create')(error)).toThrow(
    expect.objectContaining({
      name: 'ApiError',
      status: 400,
      code: 'invalid_request',
      traceId: 't',
      request: 'POST /',
      message: '--prefix: must be /24 or shorter',
    }) as Error,
  );
});

it('a message uses the names of flags', () => {
  expect(
    withFlagNames(instance, 'its root disk is replaced because spec.imageId and spec.userData changed. spec.unknown'),
  ).toBe('its root disk is replaced because image and user-data changed. spec.unknown');
});
