import type { ServiceName } from '../running.fixture.ts';
import type { Facts } from './facts.fixture.ts';

interface Deletion {
  readonly service: ServiceName;
  readonly path: string;
  readonly because: string;
}

interface Instance {
  readonly metadata: { readonly id: string; readonly name: string };
  readonly spec: {
    readonly deletionProtection?: boolean;
    readonly sshCertificateAuthorityId?: string;
    readonly networking?: { readonly securityGroups?: readonly string[] };
  };
  readonly status: { readonly networkId: string };
}

interface Storage {
  readonly spec: { readonly attachments?: { readonly networkIds: readonly string[] } };
  readonly status: { readonly storageClassId: string };
}

interface Network {
  readonly status: { readonly regionId: string };
}

interface Balancer {
  readonly status: { readonly networkId: string };
}

/** Every deletion that must be refused, derived from the data of the state. */
export function refusals({ said }: Facts): readonly Deletion[] {
  const all = (collection: string) => Object.values(said[collection] ?? {});
  const found = new Map<string, Deletion>();
  const add = (service: ServiceName, collection: string, id: string | undefined, because: string) => {
    if (id !== undefined)
      found.set(`${collection} ${id} ${because}`, {
        service,
        path: `/api/v2/${collection}/${id}`,
        because: `${collection} ${id}: ${because}`,
      });
  };
  for (const { metadata, spec, status } of all('instances') as readonly Instance[]) {
    if (spec.deletionProtection) add('compute', 'instances', metadata.id, 'it is protected');
    add('region', 'networks', status.networkId, 'an instance uses it');
    add('region', 'sshcertificateauthorities', spec.sshCertificateAuthorityId, 'an instance uses it');
    for (const group of spec.networking?.securityGroups ?? [])
      add('region', 'securitygroups', group, 'an instance uses it');
  }
  for (const { status } of all('loadbalancers') as readonly Balancer[])
    add('region', 'networks', status.networkId, 'a load balancer uses it');
  for (const { spec, status } of all('filestorage') as readonly Storage[]) {
    for (const network of spec.attachments?.networkIds ?? [])
      add('region', 'networks', network, 'file storage is attached to it');
    add('region', 'filestorageclasses', status.storageClassId, 'file storage uses it');
  }
  for (const { status } of all('networks') as readonly Network[])
    add('region', 'regions', status.regionId, 'networks are in it');
  return [...found.values()];
}
