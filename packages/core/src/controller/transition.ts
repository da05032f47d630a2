import type { Logger } from 'pino';

import { defined } from '../defined.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { findCondition, labels, sameCondition, type Condition, type ConditionType } from '../resource/index.ts';

/** One log stream for each condition of an object that transitions are recorded for. */
const axes = { provisioning: 'Available', lifecycle: 'Active', health: 'Healthy' } as const satisfies Record<
  string,
  ConditionType
>;
export type TransitionStream = keyof typeof axes;

/** The object that a transition belongs to. */
export interface TransitionSubject {
  readonly component: { readonly name: string; readonly version: string };
  readonly resource: { readonly type: string; readonly id: string };
  readonly scope: { readonly organization?: string; readonly project?: string };
}

/**
 * A change of a condition that has been stored. The field names are those of the audit log, so that the two can be
 * joined.
 */
export interface Transition extends TransitionSubject {
  readonly stream: TransitionStream;
  readonly standing: { readonly status: Condition['status']; readonly reason: string; readonly message?: string };
  readonly observedGeneration?: number;
}

export type TransitionListener = (transition: Transition) => void;

type Subject = Pick<Resource, 'metadata'> & { readonly status?: { readonly conditions?: readonly Condition[] } };

/** The transition between two stored states of an object; undefined if the condition looks the same to a reader. */
export function transitionBetween(
  stream: TransitionStream,
  kind: Kind,
  before: Subject,
  after: Subject,
): Transition | undefined {
  const condition = findCondition(after.status?.conditions, axes[stream]);
  if (!condition || sameCondition(findCondition(before.status?.conditions, axes[stream]), condition)) return undefined;
  const { status, reason, message, observedGeneration } = condition;
  return {
    stream,
    ...transitionSubject(kind, after),
    standing: { status, reason, ...word('message', message) },
    ...defined({ observedGeneration }),
  };
}

/** The fields that name an object in a transition, for services that write streams of their own. */
export function transitionSubject({ group, kind }: Kind, { metadata }: Pick<Resource, 'metadata'>): TransitionSubject {
  const { name: id, labels: label = {} } = metadata;
  return {
    component: { name: group, version: '' },
    resource: { type: kind, id },
    scope: { ...word('organization', label[labels.organization]), ...word('project', label[labels.project]) },
  };
}

function word<Key extends string>(key: Key, text: string | undefined): { readonly [K in Key]?: string };
function word(key: string, text: string | undefined): Readonly<Record<string, string>> {
  return text ? { [key]: text } : {};
}

/**
 * Writes a transition to the log. The message is the name of the stream, and the changed values have the same name as
 * key. A service that writes `Active` itself calls this after the write has succeeded.
 *
 * @example
 * const transition = transitionBetween('lifecycle', Server, before, after);
 * if (transition) announceTransition(log, transition);
 */
export function announceTransition(
  log: Logger,
  { stream, standing, component, resource, scope, observedGeneration }: Transition,
): void {
  log.info({ component, resource, scope, [stream]: standing, observedGeneration }, stream);
}
