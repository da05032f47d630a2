import { array, assert, constantFrom, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defined } from '@unikorn/core/defined';
import type { ServerRead } from '@unikorn/region/client';

import { disruptions } from '../fields/index.ts';
import { decide } from './decide.ts';
import { disruptionBy } from './disruption-by.fixture.ts';
import { changesBetween, disruptionOf, observedFields, wishOf } from './changes.ts';

function server(
  spec: Partial<ServerRead['spec']> = {},
  metadata: Partial<ServerRead['metadata']> = {},
  status: Partial<ServerRead['status']> = {},
): ServerRead {
  return {
    metadata: {
      id: 's',
      name: 'web',
      creationTime: '2026-01-01T00:00:00Z',
      provisioningStatus: 'provisioned',
      healthStatus: 'healthy',
      organizationId: 'o',
      projectId: 'p',
      ...metadata,
    },
    spec: { flavorId: 'small', imageId: 'ubuntu', ...spec },
    status: { regionId: 'r', networkId: 'n', ...status },
  };
}

const spec = { flavorId: 'small', imageId: 'ubuntu' };
const standing = (found: ServerRead = server()) => ({ type: 'one', server: found }) as const;

describe('a declarative change table per field', () => {
  it.each([
    ['nothing', spec, 'keep', 'none'],
    ['the flavor', { ...spec, flavorId: 'large' }, 'recreate', 'recreate'],
    ['the certificate authority', { ...spec, sshCertificateAuthorityId: 'a' }, 'recreate', 'recreate'],
    ['the image', { ...spec, imageId: 'debian' }, 'update', 'rebuild'],
    ['image and flavor', { ...spec, imageId: 'debian', flavorId: 'large' }, 'recreate', 'recreate'],
    ['a public address', { ...spec, networking: { publicIp: true } }, 'update', 'in-place'],
    ['security groups', { ...spec, networking: { securityGroupIDs: ['g'] } }, 'update', 'in-place'],
    [
      'allowed source addresses',
      { ...spec, networking: { allowedSourceAddresses: ['10.0.0.0/8'] } },
      'update',
      'in-place',
    ],
    ['user data', { ...spec, userData: 'IyEK' }, 'update', 'in-place'],
    [
      'tags and policies',
      { ...spec, tags: [{ name: 'a', value: 'b' }], afterRebuild: 'stop' as const, deletionProtection: true },
      'keep',
      'none',
    ],
  ])('%s', (_name, wanted, type, disruption) => {
    const action = decide({ spec: wanted }, standing());
    expect({ type: action.type, disruption: disruptionBy(action) }).toEqual({ type, disruption });
  });
});

describe('the action for the server of an instance', () => {
  it.each([
    ['none', { type: 'none' } as const, { type: 'create' }],
    [
      'one that is not its own',
      { type: 'none', occupant: 's' } as const,
      { type: 'refuse', why: 'occupied', serverIds: ['s'] },
    ],
    [
      'many',
      { type: 'many', serverIds: ['s', 't'] } as const,
      { type: 'refuse', why: 'ambiguous', serverIds: ['s', 't'] },
    ],
    [
      'one that is going, whatever is asked for',
      standing(server({ flavorId: 'large' }, { deletionTime: '2026-01-01T00:00:00Z' })),
      { type: 'await' },
    ],
  ])('%s', (_name, resolution, action) => {
    expect(decide({ spec }, resolution)).toMatchObject(action);
  });
});

describe('absent, empty and false are equal, and so are different spellings of the same bytes', () => {
  const data = constantFrom(undefined, '', 'IyEK', 'IyEKCg==');
  const networking = record({
    publicIp: option(constantFrom(true, false), { nil: undefined }),
    securityGroupIDs: option(array(constantFrom('g', 'h')), { nil: undefined }),
    allowedSourceAddresses: option(array(constantFrom('10.0.0.0/8', '192.168.1.0/24')), { nil: undefined }),
  });
  const respelt = { '10.0.0.0/8': '10.9.9.9/8', '192.168.1.0/24': '192.168.1.77/24' } as const;

  it('an instance and a server with equal values in different spellings do not differ', () => {
    assert(
      property(networking, data, ({ publicIp, securityGroupIDs, allowedSourceAddresses }, userData) => {
        const wanted = {
          ...spec,
          networking: {
            ...defined({ publicIp }),
            ...(securityGroupIDs ? { securityGroupIDs } : {}),
            ...(allowedSourceAddresses ? { allowedSourceAddresses } : {}),
          },
          ...defined({ userData }),
        };
        const found = server({
          ...(publicIp || securityGroupIDs?.length || allowedSourceAddresses?.length
            ? {
                networking: {
                  publicIP: publicIp ?? false,
                  securityGroups: securityGroupIDs ?? [],
                  allowedSourceAddresses: (allowedSourceAddresses ?? []).map((text) => respelt[text]),
                },
              }
            : {}),
          ...(userData ? { userData } : {}),
        });
        expect(changesBetween(observedFields(found), wishOf(wanted))).toEqual([]);
      }),
    );
  });

  it('the effect of several changes is the worst of them', () => {
    assert(
      property(array(constantFrom(...disruptions)), (all) => {
        const worst = Math.max(0, ...all.map((disruption) => disruptions.indexOf(disruption)));
        expect(disruptionOf(all.map((disruption) => ({ disruption })))).toBe(disruptions[worst]);
      }),
    );
  });
});
