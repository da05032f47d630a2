import type { Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { Identity, Network, SecurityGroup, SSHCertificateAuthority, type Server } from '@unikorn/region/client';

import { ComputeInstance } from '../kinds/index.ts';
import { storedPrice } from '../sagas/index.ts';
import { cureFor, illness } from './health.ts';
import { machineNodes } from './machine.ts';
import {
  absent,
  nameOf,
  nodeKinds,
  standingOf,
  type Explained,
  type ExplainedNode,
  type NodeKind,
  type Standing,
} from './node.ts';
import { remedyFor } from './remedies.ts';

/** Something the instance stands on, which may be gone, or be none of the reader's business. Nobody knows the cloud's identity but by its network. */
export interface Need {
  readonly kind: 'cloudIdentity' | 'network' | 'securityGroup' | 'sshCertificateAuthority';
  readonly id: string;
  readonly object: Explained | undefined;
  readonly readable: boolean;
}

/** All that an explanation is made from. */
export interface View {
  readonly instance: ComputeInstance;
  readonly needs: readonly Need[];
  /** Those that claim to be its own, and the one of its id. */
  readonly servers: readonly Server[];
}

export interface Explanation {
  readonly ready: boolean;
  /** The deepest that stands in the way, in a few words. */
  readonly summary: string;
  /** What stands in the way first, the deepest of it before what it holds up; then what is as it should be. */
  readonly nodes: readonly ExplainedNode[];
}

/** Says why an instance is as it is. */
export function explain({ instance, needs, servers }: View): Explanation {
  const standing = instanceStanding(instance);
  const self = {
    kind: 'instance',
    id: instance.metadata.name,
    ...nameOf(instance.metadata),
    ...standing,
    ...remedyFor('instance', standing),
    ...cureFor(standing),
  } as const;
  const failedAt = (part: HeldUpBy) => failureAt(part, instance, standing);
  const nodes: readonly ExplainedNode[] = [
    regionNode(instance, failedAt('region')),
    ...needs.map(needNode),
    ...machineNodes(instance, servers, failedAt('machine')),
    quotaNode(instance, failedAt('quota')),
    self,
  ];
  const order = self.state === 'deleting' ? goingOrder : nodeKinds;
  const rank = (node: ExplainedNode) => (node.state === 'ready' ? nodeKinds.length : 0) + order.indexOf(node.kind);
  const sorted = nodes.toSorted((a, b) => rank(a) - rank(b));
  const [first = self] = sorted;
  const ready = nodes.every(({ kind, state }) => state === 'ready' || !own.has(kind));
  return {
    ready,
    summary: ready ? `the instance is as it should be${lossOf(instance)}` : `${wordsOf(first)}: ${first.message}`,
    nodes: sorted,
  };
}

type HeldUpBy = NonNullable<NonNullable<ComputeInstance['status']>['heldUpBy']>;

/** What the attempts at an instance come to for what they fail at, which is where the trouble is; undefined while they do not. */
function failureAt(part: HeldUpBy, { status }: ComputeInstance, standing: Standing): Standing | undefined {
  if (status?.heldUpBy !== part || standing.attempts === undefined) return undefined;
  return standing.state === 'deleting' ? { ...standing, state: 'retrying' } : standing;
}

/** What makes up the instance; what it was built on may be in trouble without its noticing. */
const own: ReadonlySet<NodeKind> = new Set(['providerResource', 'machine', 'quota', 'instance']);

/** What an instance was built on does not keep it from going. */
const goingOrder: readonly NodeKind[] = [
  'region',
  'providerResource',
  'machine',
  'quota',
  'instance',
  'cloudIdentity',
  'network',
  'securityGroup',
  'sshCertificateAuthority',
];

const kinds: Readonly<Record<Need['kind'], Kind>> = {
  cloudIdentity: Identity,
  network: Network,
  securityGroup: SecurityGroup,
  sshCertificateAuthority: SSHCertificateAuthority,
};

function needNode({ kind, id, object, readable }: Need): ExplainedNode {
  const standing = object ? standingOf(kinds[kind], object) : absent;
  const shown = readable ? standing : { ...standing, message: 'your roles do not let you read more about it' };
  return {
    kind,
    id,
    ...(object && readable && kind !== 'cloudIdentity' ? nameOf(object.metadata) : {}),
    ...shown,
    ...remedyFor(kind, standing),
  };
}

/** One that is there may still be unwell, or be about to be replaced. */
function instanceStanding(instance: ComputeInstance): Standing {
  const { status } = instance;
  const standing = standingOf(ComputeInstance, instance);
  if (standing.state !== 'ready') return standing;
  if (status?.replacement)
    return {
      state: 'progressing',
      reason: 'Replacing',
      message: 'a change is replacing what it runs on',
      since: status.replacement.since,
    };
  return illness(status) ?? standing;
}

/** Nothing is known of an instance while its region does not answer. */
function regionNode({ metadata }: ComputeInstance, silence: Standing | undefined): ExplainedNode {
  const node = { kind: 'region', id: metadata.labels?.[labels.region] ?? '' } as const;
  return silence
    ? { ...node, ...silence, reason: 'Unreachable', ...remedyFor('region', silence) }
    : { ...node, state: 'ready', reason: 'Answers', message: '', since: metadata.creationTimestamp };
}

/** An instance that is stored has been paid for; what it costs is given back when its machine is gone. */
function quotaNode(instance: ComputeInstance, failure: Standing | undefined): ExplainedNode {
  const { metadata } = instance;
  const node = { kind: 'quota', id: metadata.labels?.[labels.organization] ?? '' } as const;
  if (failure) return { ...node, ...failure, reason: 'NotReleased', ...remedyFor('quota', failure) };
  const { gpus, publicIP } = storedPrice(instance);
  const message = `1 server, ${gpus} gpus and ${publicIP ? 1 : 0} public addresses are charged to its organization until its machine is gone`;
  return { ...node, state: 'ready', reason: 'Charged', message, since: metadata.creationTimestamp };
}

/** That a disk was lost is worth a word also when everything is well again. */
function lossOf({ status }: ComputeInstance): string {
  return status?.diskLostAt === undefined
    ? ''
    : `; its machine was lost at ${status.diskLostAt} and made anew, without its disk`;
}

/** Such as `security group web`. */
function wordsOf({ kind, name, id }: ExplainedNode): string {
  return `${kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${name ?? id}`;
}
