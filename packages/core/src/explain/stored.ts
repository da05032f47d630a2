import { defined } from '../defined.ts';
import type { FrameworkStatus, Kind as StoredKind, Metadata } from '../kinds/index.ts';
import { availableReasons, findCondition, foreignFinalizers, labels, type AvailableReason } from '../resource/index.ts';
import type { NodeDraft, NodeState, NodeStatus } from './node.ts';
import { remedyFor, type Remedies } from './remedies.ts';

/** The fields of a stored object that decide its state. */
export interface StoredObject {
  readonly metadata: Metadata;
  readonly spec: unknown;
  readonly status?: FrameworkStatus;
}

/**
 * Decides the state of a stored object from its deletion, its pause, its conditions and its retries. Health comes last.
 *
 * @example const status = object ? nodeStatusOf(Network, object) : missingStatus;
 */
export function nodeStatusOf(kind: Pick<StoredKind, 'realisation'>, object: StoredObject): NodeStatus {
  const { metadata, spec } = object;
  if (metadata.deletionTimestamp !== undefined) return deleting(object, metadata.deletionTimestamp);
  if (isPaused(spec))
    return { state: 'paused', reason: 'Paused', message: 'an operator paused it: no changes are made to it' };
  if (kind.realisation === 'static')
    return { state: 'ready', reason: 'Stored', message: '', since: metadata.creationTimestamp };
  const status = provisioningOf(object);
  return status.state === 'ready' ? (healthProblemOf(object.status) ?? status) : status;
}

function provisioningOf({ metadata, status }: StoredObject): NodeStatus {
  const available = findCondition(status?.conditions, 'Available');
  if (!available)
    return {
      state: 'progressing',
      reason: 'Pending',
      message: 'the request is accepted, and work on it has not started yet',
      since: metadata.creationTimestamp,
    };
  const { reason, lastTransitionTime: since } = available;
  if (status?.observedGeneration !== metadata.generation)
    return { state: 'progressing', reason: 'Provisioning', message: 'the last change is being applied', since };
  if (available.status === 'True') return { state: 'ready', reason, message: available.message, since };
  return {
    state: stateOf(reason, status.retry),
    reason,
    message: available.message || 'it is not ready yet',
    since: status.retry?.since ?? since,
    ...attemptsOf(status),
  };
}

/**
 * The state of something that is not available, by the reason. A new reason without an entry here does not compile.
 * Only states that can pass are retried.
 */
const stateBy: Readonly<Record<AvailableReason, 'progressing' | 'waiting' | 'failed'>> = {
  Provisioning: 'progressing',
  Provisioned: 'failed',
  Errored: 'failed',
  Deprovisioning: 'progressing',
  Deprovisioned: 'progressing',
  DependencyNotReady: 'waiting',
  DependencyFailed: 'waiting',
  DependencyNotFound: 'failed',
};

/** A service can have reasons of its own. They are errors to readers that do not know them. */
function stateOf(reason: string, retry: FrameworkStatus['retry']): NodeState {
  const known = availableReasons.find((each) => each === reason);
  const state = known === undefined ? 'failed' : stateBy[known];
  return retry && state !== 'failed' ? 'retrying' : state;
}

function deleting({ metadata, status }: StoredObject, since: string): NodeStatus {
  const available = findCondition(status?.conditions, 'Available');
  const finalizers = foreignFinalizers(metadata);
  const told = available && available.status !== 'True' ? available.message : '';
  const message =
    finalizers.length > 0
      ? `it is being deleted, and waits for the finalizers ${finalizers.join(', ')}`
      : told || 'it is being deleted';
  return {
    state: 'deleting',
    reason: available?.reason === 'Errored' ? 'Errored' : 'Deprovisioning',
    message,
    since,
    ...attemptsOf(status),
  };
}

/** Why an existing object does not work correctly; undefined if it does. An unknown health counts as a problem. */
function healthProblemOf(status: FrameworkStatus | undefined): NodeStatus | undefined {
  const health = findCondition(status?.conditions, 'Healthy');
  if (!health || health.status === 'True') return undefined;
  return {
    state: 'degraded',
    reason: health.reason,
    message: health.message || 'it is not healthy',
    since: health.lastTransitionTime,
  };
}

function attemptsOf(status: FrameworkStatus | undefined): Pick<NodeStatus, 'attempts' | 'nextRetry'> {
  return status?.retry ? { attempts: status.retry.attempts, nextRetry: status.retry.nextTime } : {};
}

function isPaused(spec: unknown): boolean {
  return typeof spec === 'object' && spec !== null && 'pause' in spec && spec.pause === true;
}

/** The state of an object that another object refers to, and that does not exist. */
export const missingStatus: NodeStatus = {
  state: 'missing',
  reason: 'DependencyNotFound',
  message: 'it does not exist',
};

export interface StoredNode<NodeKind extends string> {
  readonly kind: NodeKind;
  readonly id: string;
  readonly of: Pick<StoredKind, 'realisation'>;
  /** Undefined if it does not exist. */
  readonly object: StoredObject | undefined;
  /** Whether the caller may read it. If not, its name and its message are left out. */
  readonly readable: boolean;
  readonly remedies: Remedies<NodeKind>;
}

/**
 * The node of a stored object, or of one that is missing.
 *
 * @example storedNode({ kind: 'network', id, of: Network, object: await store.get(Network, id), readable: true, remedies })
 */
export function storedNode<NodeKind extends string>({
  kind,
  id,
  of,
  object,
  readable,
  remedies,
}: StoredNode<NodeKind>): NodeDraft<NodeKind> {
  const status = object ? nodeStatusOf(of, object) : missingStatus;
  const name = object?.metadata.labels?.[labels.name];
  const node = { kind, id, ...defined({ name }), ...status, ...remedyFor(remedies, kind, status) };
  return readable || !object ? node : concealed(node);
}

/** The same node without its name. */
export function unnamed<Kind extends string>(node: NodeDraft<Kind>): NodeDraft<Kind> {
  const { kind, id, state, reason, message, since, attempts, nextRetry, unblockedBy } = node;
  return { kind, id, state, reason, message, ...defined({ since, attempts, nextRetry, unblockedBy }) };
}

/**
 * The same node for a caller who may not read the object.
 *
 * @example allowsOn(acl, endpoint, 'read', metadata) ? node : concealed(node)
 */
export function concealed<Kind extends string>(node: NodeDraft<Kind>): NodeDraft<Kind> {
  return { ...unnamed(node), message: 'your roles do not allow you to read more about it' };
}
