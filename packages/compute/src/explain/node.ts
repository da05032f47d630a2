import type { FrameworkStatus, Kind, Metadata } from '@unikorn/core/kinds';
import { findCondition, foreignFinalizers, labels } from '@unikorn/core/resource';

/** What is explained: the instance, and what it stands on. */
export const nodeKinds = [
  'region',
  'cloudIdentity',
  'network',
  'securityGroup',
  'sshCertificateAuthority',
  'providerResource',
  'machine',
  'quota',
  'instance',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** `progressing`: it gets on. `waiting`: for something else. `retrying`: the last attempt failed. `failed`: not without somebody's help, or not soon. */
export const nodeStates = [
  'ready',
  'progressing',
  'waiting',
  'retrying',
  'degraded',
  'failed',
  'missing',
  'deleting',
  'paused',
] as const;
export type NodeState = (typeof nodeStates)[number];

export interface ExplainedNode {
  readonly kind: NodeKind;
  readonly id: string;
  readonly name?: string;
  readonly state: NodeState;
  readonly reason: string;
  readonly message: string;
  /** Unknown of what is not there, and of what was paused. */
  readonly since?: string;
  /** How often it was tried in vain, of what failed last time. */
  readonly attempts?: number;
  /** When it is tried again by itself, if it is. */
  readonly nextRetry?: string;
  /** What would help; of everything that is not ready. */
  readonly unblockedBy?: string;
}

/** Something stored, as far as it says how it is. */
export interface Explained {
  readonly metadata: Metadata;
  readonly spec: unknown;
  readonly status?: FrameworkStatus;
}

export type Standing = Pick<ExplainedNode, 'state' | 'reason' | 'message' | 'since' | 'attempts' | 'nextRetry'>;

/** How something is, by what is stored of it. */
export function standingOf(kind: Kind, object: Explained): Standing {
  const { metadata, spec } = object;
  if (metadata.deletionTimestamp !== undefined) return deleting(object, metadata.deletionTimestamp);
  if (isPaused(spec))
    return { state: 'paused', reason: 'Paused', message: 'an operator has paused it: nothing is done about it' };
  return kind.realisation === 'static'
    ? { state: 'ready', reason: 'Stored', message: '', since: metadata.creationTimestamp }
    : realised(object);
}

function realised({ metadata, status }: Explained): Standing {
  const available = findCondition(status?.conditions, 'Available');
  if (!available)
    return {
      state: 'progressing',
      reason: 'Pending',
      message: 'it was asked for, and nothing has been said of it yet',
      since: metadata.creationTimestamp,
    };
  const { reason, lastTransitionTime: since } = available;
  if (status?.observedGeneration !== metadata.generation)
    return { state: 'progressing', reason: 'Provisioning', message: 'the last change is being carried out', since };
  const tried = triesOf(status);
  if (available.status === 'True') return { state: 'ready', reason, message: available.message, since };
  return {
    state: stateBy(reason, status.retry),
    reason,
    message: available.message || 'it is not there yet',
    since: status.retry?.since ?? since,
    ...tried,
  };
}

function stateBy(reason: string, retry: FrameworkStatus['retry']): NodeState {
  switch (reason) {
    case 'Provisioning':
    case 'Deprovisioning':
    case 'Deprovisioned':
      return retry ? 'retrying' : 'progressing';
    case 'DependencyNotReady':
    case 'DependencyFailed':
      return retry ? 'retrying' : 'waiting';
    default:
      return 'failed';
  }
}

/** What is going says what holds it up, if something does. */
function deleting({ metadata, status }: Explained, since: string): Standing {
  const available = findCondition(status?.conditions, 'Available');
  const holders = foreignFinalizers(metadata);
  const told = available && available.status !== 'True' ? available.message : '';
  const message =
    holders.length > 0 ? `it is being deleted, and still held by ${holders.join(', ')}` : told || 'it is being deleted';
  return {
    state: 'deleting',
    reason: available?.reason === 'Errored' ? 'Errored' : 'Deprovisioning',
    message,
    since,
    ...triesOf(status),
  };
}

function triesOf(status: FrameworkStatus | undefined): Pick<Standing, 'attempts' | 'nextRetry'> {
  return status?.retry ? { attempts: status.retry.attempts, nextRetry: status.retry.nextTime } : {};
}

function isPaused(spec: unknown): boolean {
  return typeof spec === 'object' && spec !== null && 'pause' in spec && spec.pause === true;
}

/** Of something that is named but not there. */
export const absent: Standing = { state: 'missing', reason: 'DependencyNotFound', message: 'it does not exist' };

export function nameOf({ labels: carried }: Metadata): { readonly name?: string } {
  const name = carried?.[labels.name];
  return name === undefined ? {} : { name };
}
