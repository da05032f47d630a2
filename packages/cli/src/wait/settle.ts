import { gone, settled, type Change, type Realised } from '@unikorn/sdk';

import type { Named, Noun } from '../nouns/noun.ts';
import { toneOf } from '../output/colours.ts';
import { reasonOf, statusOf } from '../output/view.ts';
import { beside, follow, handleOf, nameOf } from '../resources.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import type { Waited } from './live.ts';
import { waiting, type Progress } from './waiting.ts';

export interface SettleOptions {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly timeout_ms: number;
  /** Is called with every state of the object during the wait. */
  readonly onChange?: (object: Named) => void;
}

/** Waits until an object has reached the requested state. Throws a `NotSettledError` if it cannot. */
export async function waitUntilSettled(
  noun: Noun,
  object: Named,
  { timeout_ms, ...options }: SettleOptions,
): Promise<Named> {
  if (isSettled(noun, object)) return object;
  return waiting(options.terminal, { timeout_ms, onward: onward(noun, object) }, (signal, progress) =>
    settling(noun, object, { ...options, signal, progress }),
  );
}

/** Waits until all of these are deleted. */
export async function waitUntilGone(
  noun: Noun,
  objects: readonly Named[],
  { session, terminal, timeout_ms }: SettleOptions,
): Promise<void> {
  const [first] = objects;
  if (!first) return;
  await waiting(terminal, { timeout_ms, onward: onward(noun, first) }, async (signal, progress) => {
    await Promise.all(objects.map((object) => vanishing(noun, object, { session, terminal, signal, progress })));
  });
}

/** The wait for one of several objects in one view. */
export interface SharedWait extends Omit<SettleOptions, 'timeout_ms'> {
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export function isSettled(noun: Noun, object: Named): boolean {
  return realised(noun, object).metadata.provisioningStatus === 'provisioned';
}

export async function settling(noun: Noun, object: Named, { onChange, ...options }: SharedWait): Promise<Named> {
  const show = ({ original }: State) => {
    options.progress.show(waitedOf(noun, original));
    onChange?.(original);
  };
  return (await settled(states(noun, object, options), { onChange: show })).original;
}

export async function vanishing(noun: Noun, object: Named, options: SharedWait): Promise<void> {
  await gone(states(noun, object, options), {
    onChange: ({ original }) => {
      options.progress.show(waitedOf(noun, original));
    },
  });
}

/**
 * An object in the form that the waiters of the SDK expect. Some resources, such as images, have other fields for their
 * state.
 */
interface State extends Realised {
  readonly original: Named;
}

async function* states(
  noun: Noun,
  object: Named,
  { session, terminal, signal, progress: { onInterruption } }: SharedWait,
): AsyncGenerator<Change<State, State>> {
  const changes = follow(beside(session, object), noun, object.metadata.id, {
    signal,
    sleep: terminal.sleep,
    onInterruption,
  });
  for await (const change of changes)
    yield 'object' in change
      ? { type: change.type, object: { ...realised(noun, change.object), original: change.object } }
      : change;
}

export function waitedOf(noun: Noun, object: Named): Waited {
  return {
    subject: `${noun.name} ${nameOf(noun, object)}`,
    state: statusOf(noun, object),
    reason: reasonOf(noun, object),
  };
}

function onward(noun: Noun, object: Named): string {
  return `unikorn ${noun.name} ${noun.verbs.includes('watch') ? 'watch' : 'get'} ${handleOf(noun, object)}`;
}

function realised(noun: Noun, object: Named): Realised {
  const { metadata } = object;
  return {
    metadata: {
      ...metadata,
      provisioningStatus: metadata.provisioningStatus ?? provisioningOf(statusOf(noun, object)),
    },
  };
}

function provisioningOf(status: string): Realised['metadata']['provisioningStatus'] {
  switch (toneOf(status)) {
    case 'good':
    case 'plain':
      return 'provisioned';
    case 'bad':
      return 'error';
    case 'busy':
      return 'provisioning';
  }
}
