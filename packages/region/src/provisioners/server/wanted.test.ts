import { describe, expect, it } from 'vitest';

import type { Metadata, SpecOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import type { Server } from '../../kinds/index.ts';
import { wantedServer } from './wanted.ts';

const metadata: Metadata = {
  name: 's',
  uid: 'u',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
  resourceVersion: '1',
  labels: {
    [labels.name]: 'web-1',
    [labels.organization]: 'o',
    [labels.project]: 'p',
    [labels.region]: 'r',
    [labels.network]: 'n',
    [labels.identity]: 'i',
  },
};
const spec: SpecOf<typeof Server> = { flavorID: 'f', image: { id: 'i' }, networks: [{ id: 'n' }] };

function textOf(userData: string | undefined): string {
  return Buffer.from(userData ?? '', 'base64').toString();
}

describe('the request to a provider', () => {
  it('uses the key of the network unless the server says otherwise', () => {
    expect(wantedServer({ metadata, spec }, undefined)).toMatchObject({
      id: 's',
      name: 'web-1',
      flavorId: 'f',
      imageId: 'i',
      networkId: 'n',
      keyPair: 'identity',
      publicIP: 'unwanted',
      securityGroupIds: [],
      allowedAddressPairs: [],
    });
    expect(wantedServer({ metadata, spec: { ...spec, sshInjection: 'none' } }, undefined).keyPair).toBe('none');
    expect(
      wantedServer({ metadata, spec: { ...spec, sshCertificateAuthorityID: 'ca' } }, 'ssh-ed25519 AAAA').keyPair,
    ).toBe('none');
  });

  it('has the user data and the authority', () => {
    const userData = Buffer.from('#!/bin/sh\necho mine\n').toString('base64');
    expect(textOf(wantedServer({ metadata, spec: { ...spec, userData } }, undefined).userData)).toBe(
      '#!/bin/sh\necho mine\n',
    );
    const both = textOf(
      wantedServer({ metadata, spec: { ...spec, userData, sshCertificateAuthorityID: 'ca' } }, 'ssh-ed25519 AAAA')
        .userData,
    );
    expect(both).toContain('echo mine');
    expect(both).toContain('unikorn-ssh-certificate-authority');
  });

  it('has the identity of the guest and the tags of services, but a user’s tag never replaces values of the platform', () => {
    const tags = [
      { name: 'compute.unikorn-cloud.org/instance-id', value: 'c' },
      { name: 'region.unikorn-cloud.org/server-id', value: 'forged' },
      { name: 'colour', value: 'red' },
    ];
    expect(wantedServer({ metadata, spec: { ...spec, tags } }, undefined).metadata).toEqual({
      serverID: 's',
      organizationID: 'o',
      projectID: 'p',
      regionID: 'r',
      'region:server_id': 's',
      'region:region_id': 'r',
      'identity:organization_id': 'o',
      'identity:project_id': 'p',
      'compute:instance_id': 'c',
    });
  });
});
