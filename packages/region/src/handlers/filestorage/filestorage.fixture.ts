import { expect } from 'vitest';

import { provisioningStatus } from '@unikorn/core/resource';
import { signIn } from '@unikorn/identity/testing';

import { FileStorage, Network } from '../../kinds/index.ts';
import { networkBody, type Place } from '../../testing/networks.ts';
import { operatorMail, startRegion, type StartRegionOptions } from '../../testing/index.ts';

export interface Wire {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly id: string; readonly provisioningStatus: string };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>> & {
    readonly attachments?: readonly Readonly<Record<string, unknown>>[];
    readonly snapshotPolicies: readonly Readonly<Record<string, unknown>>[];
  };
}

const nfs = { storageType: { NFS: { rootSquash: true } } };

/** A region that creates file storage and networks quickly. */
export async function startStorage(options: StartRegionOptions = {}) {
  const region = await startRegion(options);
  const { call, eventually, store, storageClassId } = region;
  await region.server.inject({
    method: 'PUT',
    url: `/identity/api/v1/organizations/${region.organizationId}/quotas`,
    headers: { authorization: `Bearer ${await signIn(region, operatorMail)}` },
    payload: { quotas: [{ kind: 'networks', quantity: 100 }] },
  });
  const body = (spec: object = {}, metadata: object = {}, place: Place = region) => {
    const { organizationId, projectId, regionId } = place;
    return {
      metadata: { name: 'files', ...metadata },
      spec: { organizationId, projectId, regionId, storageClassId, sizeGiB: 10, ...nfs, ...spec },
    };
  };
  const change = (spec: object = {}, metadata: object = {}) => ({
    metadata: { name: 'files', ...metadata },
    spec: { sizeGiB: 10, ...nfs, ...spec },
  });
  const create = (spec: object = {}, metadata: object = {}) =>
    call('POST', '/api/v2/filestorage', { body: body(spec, metadata) });
  const created = async (spec: object = {}, metadata: object = {}): Promise<Wire> => {
    const answer = await create(spec, metadata);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Wire;
  };
  const read = async (id: string) => (await call('GET', `/api/v2/filestorage/${id}`)).body as Wire;
  const update = (id: string, spec: object = {}, metadata: object = {}) =>
    call('PUT', `/api/v2/filestorage/${id}`, { body: change(spec, metadata) });
  const settled = (id: string) =>
    eventually(
      async () => ({ stored: await store.get(FileStorage, id), wire: await read(id) }),
      ({ stored, wire }) =>
        stored !== undefined &&
        stored.status?.observedGeneration === stored.metadata.generation &&
        wire.metadata.provisioningStatus === 'provisioned',
    ).then(({ wire }) => wire);
  const removed = async (id: string) => {
    expect((await call('DELETE', `/api/v2/filestorage/${id}`)).status).toBe(202);
    await eventually(
      () => store.get(FileStorage, id),
      (left) => left === undefined,
    );
  };
  /** The id of a network that is provisioned. */
  const network = async (spec: object = {}, place: Place = region): Promise<string> => {
    const answer = await call('POST', '/api/v2/networks', { body: networkBody(place, spec) });
    expect(answer).toMatchObject({ status: 201 });
    const { id } = (answer.body as Wire).metadata;
    await eventually(
      () => store.get(Network, id),
      (made) => made !== undefined && provisioningStatus(made, 'controlled') === 'provisioned',
    );
    return id;
  };
  return { ...region, body, change, create, created, read, update, settled, removed, network };
}

export type RunningStorage = Awaited<ReturnType<typeof startStorage>>;

export function described(status: number, text: string) {
  return { status, body: { error_description: expect.stringContaining(text) as string } };
}
