import type { Acl } from '@unikorn/core/access';
import {
  remedyFor,
  storedNode,
  unnamed,
  type NodeDraft,
  type NodeStatus,
  type Remedies,
  type StoredObject,
} from '@unikorn/core/explain';
import { allowsOn } from '@unikorn/core/http';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { endpoints } from '../handlers/endpoints.ts';
import { FileStorageClass, Identity, Network, Region, SecurityGroup, SSHCertificateAuthority } from '../kinds/index.ts';
import { isVisibleRegion, type Providers } from '../regions/index.ts';
import type { RegionNodeKind } from './node-kinds.ts';

/** The source of an explanation, and the permissions that decide how much of it is shown. */
export interface Reading {
  readonly store: Store;
  readonly world: World;
  readonly providers: Pick<Providers, 'cloud' | 'outage'>;
  readonly acl: Acl;
}

type Node = NodeDraft<RegionNodeKind>;
type Labelled = Pick<Metadata, 'labels'>;

/** Creates the nodes of the resources that a resource needs. */
export class Needs {
  readonly #reading: Reading;
  readonly #remedies: Remedies<RegionNodeKind>;

  constructor(reading: Reading, remedies: Remedies<RegionNodeKind>) {
    this.#reading = reading;
    this.#remedies = remedies;
  }

  /**
   * The region of a resource. A region that this deployment cannot reach at all has failed. One whose cloud does not
   * answer is degraded: it is the cause of everything that waits for the cloud.
   */
  async region({ labels: carried }: Labelled): Promise<Node> {
    const { store, acl } = this.#reading;
    const id = carried?.[labels.region] ?? '';
    const region = await store.get(Region, id);
    const node = this.#node('region', id, Region, region, !region || isVisibleRegion(region, acl));
    if (!region || node.state !== 'ready') return node;
    const status = await this.#reachOf(region);
    return status ? { ...node, ...status, ...remedyFor(this.#remedies, 'region', status) } : node;
  }

  /** Undefined if the cloud of the region answers. */
  async #reachOf(region: Region): Promise<NodeStatus | undefined> {
    const { providers } = this.#reading;
    const problem = problemOf(() => providers.cloud(region));
    if (problem !== undefined) return { state: 'failed', reason: 'Unusable', message: problem };
    const outage = await providers.outage(region);
    return outage === undefined ? undefined : { state: 'degraded', reason: 'Unreachable', message: outage };
  }

  /** The principal of a network in its cloud. Users do not know its id, so it has the id of its network. */
  async cloudIdentity({ labels: carried }: Labelled, networkId: string): Promise<Node> {
    const { store, acl } = this.#reading;
    const identity = await store.get(Identity, carried?.[labels.identity] ?? '');
    const readable = !identity || allowsOn(acl, endpoints.networks, 'read', identity.metadata);
    return unnamed(this.#node('cloudIdentity', networkId, Identity, identity, readable));
  }

  network(id: string): Promise<Node> {
    return this.#stored('network', id, Network, endpoints.networks);
  }

  securityGroup(id: string): Promise<Node> {
    return this.#stored('securityGroup', id, SecurityGroup, endpoints.securityGroups);
  }

  sshCertificateAuthority(id: string): Promise<Node> {
    return this.#stored('sshCertificateAuthority', id, SSHCertificateAuthority, endpoints.sshCertificateAuthorities);
  }

  /** All callers may know the class of their file storage. */
  async storageClass(id: string): Promise<Node> {
    const { store } = this.#reading;
    return this.#node('storageClass', id, FileStorageClass, await store.get(FileStorageClass, id), true);
  }

  async #stored(kind: RegionNodeKind, id: string, of: Kind, endpoint: string): Promise<Node> {
    const { store, acl } = this.#reading;
    const object = await store.get(of, id);
    return this.#node(kind, id, of, object, !object || allowsOn(acl, endpoint, 'read', object.metadata));
  }

  #node(kind: RegionNodeKind, id: string, of: Kind, object: StoredObject | undefined, readable: boolean): Node {
    return storedNode({ kind, id, of, object, readable, remedies: this.#remedies });
  }
}

function problemOf(reach: () => unknown): string | undefined {
  try {
    reach();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be reached';
  }
}
