import { BlockList, isIPv6 } from 'node:net';

interface Manifest {
  readonly kind: string;
  readonly spec?: unknown;
}

type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string };
}

interface Rule {
  readonly ports?: readonly { readonly port: number | string; readonly protocol?: string }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

interface PolicySpec {
  readonly podSelector: Selector;
  readonly policyTypes: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** One end of a connection: a pod of the namespace, or an address elsewhere. */
export type End = { readonly labels: Labels } | { readonly address: string };

/** The port of the pod that is connected to. */
export interface Port {
  readonly number: number;
  readonly name?: string;
  readonly protocol?: 'TCP' | 'UDP';
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`the operator ${operator} is not supported here`);
      return values.includes(labels[key] ?? '');
    })
  );
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, end: End): boolean {
  if ('labels' in end) return podSelector !== undefined && !namespaceSelector && selects(podSelector, end.labels);
  if (!ipBlock) return false;
  const [network = '', length] = ipBlock.cidr.split('/');
  const block = new BlockList();
  block.addSubnet(network, Number(length), isIPv6(network) ? 'ipv6' : 'ipv4');
  return block.check(end.address, isIPv6(end.address) ? 'ipv6' : 'ipv4');
}

function isAllowedBy({ ports, from, to }: Rule, end: End, wanted: Port): boolean {
  const { number, name, protocol = 'TCP' } = wanted;
  const peers = from ?? to;
  return (
    (!ports || ports.some((each) => [number, name].includes(each.port) && (each.protocol ?? 'TCP') === protocol)) &&
    (!peers || peers.some((peer) => isPeer(peer, end)))
  );
}

/** Whether the network policies among the objects allow a connection, as a network plugin decides it. */
export function isAllowed(manifests: readonly Manifest[], from: End, to: End, port: Port): boolean {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as PolicySpec);
  const of = (end: End, type: 'Ingress' | 'Egress') =>
    policies.filter(
      ({ podSelector, policyTypes }) =>
        'labels' in end && policyTypes.includes(type) && selects(podSelector, end.labels),
    );
  const leaving = of(from, 'Egress');
  const arriving = of(to, 'Ingress');
  return (
    (leaving.length === 0 || leaving.some(({ egress = [] }) => egress.some((rule) => isAllowedBy(rule, to, port)))) &&
    (arriving.length === 0 ||
      arriving.some(({ ingress = [] }) => ingress.some((rule) => isAllowedBy(rule, from, port))))
  );
}
