import { defined } from '@unikorn/core/defined';
import {
  concealed,
  explanationOf,
  nodeStatusOf,
  type Explanation,
  type NodeDraft,
  type NodeStatus,
} from '@unikorn/core/explain';
import { labels } from '@unikorn/core/resource';

import { ComputeInstance } from '../kinds/index.ts';
import { storedPrice } from '../sagas/index.ts';
import { machineNodes, told, type Machine } from './machine.ts';
import { living, ownKinds, removal, type NodeKind } from './node-kinds.ts';
import { remedyOf } from './remedies.ts';

type Node = NodeDraft<NodeKind>;

/** A resource that the instance needs, as region explains it. */
export interface Need {
  readonly node: Node;
  /** Whether the caller may read it. If not, only its state is shown. */
  readonly readable: boolean;
}

/** The input of an explanation. */
export interface View {
  readonly instance: ComputeInstance;
  readonly needs: readonly Need[];
  readonly machine: Machine;
  /** The region of the instance, as region explains it. */
  readonly region?: Node | undefined;
}

/** Explains the state of an instance. */
export function explain({ instance, needs, machine, region }: View): Explanation<NodeKind> {
  const { metadata } = instance;
  const status = instanceStatus(instance);
  const self = {
    ...told('instance', metadata.name, status),
    ...defined({ name: metadata.labels?.[labels.name] }),
  };
  const failedAt = (part: HeldUpBy) => failureAt(part, instance, status);
  return explanationOf<NodeKind>({
    nodes: [
      regionNode(instance, machine, region, failedAt('region')),
      ...needs.map(needNode),
      ...machineNodes(instance, machine, failedAt('machine')),
      quotaNode(instance, failedAt('quota')),
      self,
    ],
    graph: self.state === 'deleting' ? removal : living,
    own: ownKinds,
    whenReady: `the instance is ready${lossOf(instance)}`,
  });
}

type HeldUpBy = NonNullable<NonNullable<ComputeInstance['status']>['heldUpBy']>;

/** The failure of the last attempt, for the part that failed; undefined if the last attempt did not fail. */
function failureAt(part: HeldUpBy, { status }: ComputeInstance, failure: NodeStatus): NodeStatus | undefined {
  if (status?.heldUpBy !== part || failure.attempts === undefined) return undefined;
  return failure.state === 'deleting' ? { ...failure, state: 'retrying' } : failure;
}

function needNode({ node, readable }: Need): Node {
  const explained = { ...node, ...remedyOf(node.kind, node) };
  return readable ? explained : concealed(explained);
}

/** A change may still have to replace the machine of an existing instance. */
function instanceStatus(instance: ComputeInstance): NodeStatus {
  const { replacement } = instance.status ?? {};
  const status = nodeStatusOf(ComputeInstance, instance);
  if (!replacement || (status.state !== 'ready' && status.state !== 'degraded')) return status;
  return {
    state: 'progressing',
    reason: 'Replacing',
    message: 'a change is replacing its machine',
    since: replacement.since,
  };
}

/** While the region does not answer, the state of the instance is not known. A region whose cloud is silent says so. */
function regionNode(
  { metadata }: ComputeInstance,
  machine: Machine,
  region: Node | undefined,
  failure: NodeStatus | undefined,
): Node {
  const id = metadata.labels?.[labels.region] ?? '';
  if (failure) return told('region', id, { ...failure, reason: 'Unreachable' });
  if (machine.type === 'unknown')
    return told('region', id, { state: 'degraded', reason: 'Unreachable', message: machine.problem });
  if (region && region.state !== 'ready') return { ...region, ...remedyOf('region', region) };
  return { kind: 'region', id, state: 'ready', reason: 'Answers', message: '', since: metadata.creationTimestamp };
}

/** A stored instance is charged. The charge is released after its machine is deleted. */
function quotaNode(instance: ComputeInstance, failure: NodeStatus | undefined): Node {
  const { metadata } = instance;
  const id = metadata.labels?.[labels.organization] ?? '';
  if (failure) return told('quota', id, { ...failure, reason: 'NotReleased' });
  const { gpus, publicIP } = storedPrice(instance);
  const message = `1 server, ${gpus} gpus and ${publicIP ? 1 : 0} public addresses are charged to its organization until its machine is deleted`;
  return { kind: 'quota', id, state: 'ready', reason: 'Charged', message, since: metadata.creationTimestamp };
}

/** The loss of a disk is shown even if the instance is ready again. */
function lossOf({ status }: ComputeInstance): string {
  return status?.diskLostAt === undefined
    ? ''
    : `; its machine was lost at ${status.diskLostAt} and recreated without its disk`;
}
