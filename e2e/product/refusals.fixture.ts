import { computeBody } from '@unikorn/compute/testing';
import { absentId, identityBody } from '@unikorn/identity/testing';
import { regionBody, type Estate } from '@unikorn/region/testing';

import type { ServiceName } from './running.fixture.ts';

/** A request that is valid except for a fact that only its handler can know. */
export interface Refused {
  readonly because: string;
  readonly service: ServiceName;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  readonly error: string;
  /** A text in the description that clients look for. */
  readonly says?: string;
}

const invalid = { status: 400, error: 'invalid_request' };
const forbidden = { status: 403, error: 'forbidden' };
const missing = { status: 404, error: 'not_found' };
const conflict = { status: 409, error: 'conflict' };
const unprocessable = { status: 422, error: 'unprocessable_content' };

/** The refusals of handlers, by status of the contract. The instance `walked` is in the network of the estate. */
export function refusalsIn(estate: Estate): readonly Refused[] {
  const word = (name: string) => estate[name] ?? '';
  const region = (operationId: string, spec: object) => changed(regionBody(operationId, word), spec);
  const instance = (operationId: string, name: string, spec: object = {}) =>
    changed(computeBody(operationId, word, name), spec);
  const at = `/api/v1/organizations/${word('organizationID')}`;
  const listener = { name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } };
  return [
    {
      because: 'a network is too small',
      service: 'region',
      method: 'POST',
      path: '/api/v2/networks',
      body: region('createNetwork', { prefix: '10.0.0.0/25' }),
      ...invalid,
    },
    {
      because: 'a region does not exist',
      service: 'region',
      method: 'POST',
      path: '/api/v2/networks',
      body: region('createNetwork', { regionId: absentId }),
      ...missing,
    },
    {
      because: 'a network is in use',
      service: 'region',
      method: 'DELETE',
      path: `/api/v2/networks/${word('networkID')}`,
      ...forbidden,
      says: 'in use',
    },
    {
      because: 'two listeners have the same name',
      service: 'region',
      method: 'POST',
      path: '/api/v2/loadbalancers',
      body: region('createLoadBalancer', { listeners: [listener, { ...listener, port: 81 }] }),
      ...unprocessable,
    },
    {
      because: 'a key is invalid',
      service: 'region',
      method: 'POST',
      path: '/api/v2/sshcertificateauthorities',
      body: region('createSshCertificateAuthority', { publicKey: 'nonsense' }),
      ...unprocessable,
    },
    {
      because: 'a storage class does not exist',
      service: 'region',
      method: 'POST',
      path: '/api/v2/filestorage',
      body: region('createFileStorage', { storageClassId: absentId }),
      ...unprocessable,
    },
    {
      because: 'a name in a network is taken',
      service: 'compute',
      method: 'POST',
      path: '/api/v2/instances',
      body: instance('createInstance', 'walked'),
      ...conflict,
    },
    {
      because: 'a flavor does not exist',
      service: 'compute',
      method: 'POST',
      path: '/api/v2/instances',
      body: instance('createInstance', 'another', { flavorId: absentId }),
      ...invalid,
    },
    {
      because: 'the name of an instance cannot be changed',
      service: 'compute',
      method: 'PUT',
      path: `/api/v2/instances/${word('instanceID')}`,
      body: instance('updateInstance', 'renamed'),
      ...unprocessable,
    },
    {
      because: 'a role does not exist',
      service: 'identity',
      method: 'POST',
      path: `${at}/groups`,
      body: changed(identityBody('createGroup', ''), { roleIDs: [absentId] }),
      ...invalid,
    },
    {
      because: 'members are listed in two ways',
      service: 'identity',
      method: 'POST',
      path: `${at}/groups`,
      body: changed(identityBody('createGroup', ''), {
        userIDs: [word('userID')],
        subjects: [{ id: 'x@example.com', issuer: '' }],
      }),
      ...invalid,
    },
    {
      because: 'a project exceeds its quota',
      service: 'identity',
      method: 'POST',
      path: `${at}/projects/${word('projectID')}/allocations`,
      body: allocation(1_000_000),
      ...forbidden,
    },
  ];
}

function changed(body: object, spec: object): object {
  return { ...body, spec: { ...('spec' in body && typeof body.spec === 'object' ? body.spec : {}), ...spec } };
}

function allocation(committed: number): object {
  return {
    metadata: { name: 'greedy' },
    spec: {
      kind: 'networks.region.unikorn-cloud.org',
      id: absentId,
      allocations: [{ kind: 'networks', committed, reserved: 0 }],
    },
  };
}
