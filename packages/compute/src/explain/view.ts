import type { Acl } from '@unikorn/core/access';
import { isProblem } from '@unikorn/core/errors';
import { allowsOn } from '@unikorn/core/http';
import type { Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { Identity, Network, SecurityGroup, Server, SSHCertificateAuthority } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import { serverIdOf, type Claimants } from '../link/index.ts';
import type { Need, View } from './explain.ts';
import type { Explained } from './node.ts';

export interface ViewDeps {
  readonly store: Store;
  readonly claimants: Claimants;
}

/** Gathers what there is to say about an instance, to somebody who may read that much of it. */
export async function viewOf({ store, claimants }: ViewDeps, instance: ComputeInstance, acl: Acl): Promise<View> {
  const { metadata, spec } = instance;
  const networkId = metadata.labels?.[labels.network] ?? '';
  const network = await store.get(Network, networkId);
  const identityId = network?.metadata.labels?.[labels.identity];
  const load = async (kind: Need['kind'], of: Kind, id: string, endpoint: string): Promise<Need> =>
    needOf(kind, id, await store.get(of, id), acl, endpoint);
  const groups = spec.networking?.securityGroupIDs ?? [];
  const authority = spec.sshCertificateAuthorityId;
  return {
    instance,
    needs: await Promise.all([
      ...(identityId === undefined
        ? []
        : [
            store
              .get(Identity, identityId)
              .then((identity) => needOf('cloudIdentity', networkId, identity, acl, 'region:networks:v2')),
          ]),
      Promise.resolve(needOf('network', networkId, network, acl, 'region:networks:v2')),
      ...[...new Set(groups)].map((id) => load('securityGroup', SecurityGroup, id, 'region:securitygroups:v2')),
      ...(authority === undefined
        ? []
        : [load('sshCertificateAuthority', SSHCertificateAuthority, authority, 'region:sshcertificateauthorities:v2')]),
    ]),
    servers: await serversOf({ store, claimants }, instance),
  };
}

function needOf(kind: Need['kind'], id: string, object: Explained | undefined, acl: Acl, endpoint: string): Need {
  return { kind, id, object, readable: !object || allowsOn(acl, endpoint, 'read', object.metadata) };
}

/** A region that cannot be asked is a reason to explain what is stored, not to explain nothing. */
async function serversOf({ store, claimants }: ViewDeps, instance: ComputeInstance): Promise<readonly Server[]> {
  const claiming = await claimants(instance).catch((error: unknown) => {
    if (!isProblem(error)) throw error;
    return [];
  });
  const ids = [...new Set([serverIdOf(instance), ...claiming])];
  const servers = await Promise.all(ids.map((id) => store.get(Server, id)));
  return servers.filter((server) => server !== undefined);
}
