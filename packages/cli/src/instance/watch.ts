import { ApiError, NotSettledError, type Change } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { instance } from '../nouns/instance.ts';
import type { Named } from '../nouns/noun.ts';
import { follow } from '../resources.ts';
import { showChanges, tellOf, watchVerb } from '../verbs/watch.ts';
import { diagnosisOf } from '../explain/explain.ts';
import { found, type InstanceCall } from './found.ts';
import type { Milestone } from './milestones.ts';

export type WatchOptions = GlobalOptions & { readonly until?: Milestone };

/** Follows instances, or one instance until it has reached a state. */
export async function watchInstanceVerb(call: InstanceCall<WatchOptions>, name: string | undefined): Promise<void> {
  const {
    terminal,
    options: { until },
  } = call;
  if (until === undefined) return watchVerb(call, name);
  if (name === undefined) throw new Failure('usage', `--until ${until} needs the name of an instance`);
  const { session, printing, current } = await found(call, name);
  const changes = follow(session, instance, current.metadata.id, {
    signal: terminal.signal,
    sleep: terminal.sleep,
    onInterruption: tellOf(terminal),
  });
  try {
    await showChanges(instance, endingAt(until, changes), printing);
  } catch (error) {
    // It can be deleted before the stream begins.
    if (until === 'gone' && error instanceof ApiError && error.status === 404) return;
    if (!(error instanceof NotSettledError) || error.outcome !== 'failed') throw error;
    throw new Failure('refused', error.message, ...(await diagnosisOf(instance)(session, current, terminal)));
  }
}

/**
 * The changes of one object until it has reached the state. Throws a `NotSettledError` if it can no longer reach it.
 */
async function* endingAt(
  until: Milestone,
  changes: AsyncIterable<Change<Named, Named>>,
): AsyncGenerator<Change<Named, Named>> {
  for await (const change of changes) {
    yield change;
    if (!('object' in change)) continue;
    const { name, provisioningStatus, provisioningStatusDetail } = change.object.metadata;
    if (change.type === 'deleted') {
      if (until === 'gone') return;
      throw new NotSettledError('deleted', `${name} was deleted`);
    }
    if (until === 'gone') continue;
    if (provisioningStatus === 'provisioned') return;
    if (provisioningStatus === 'error')
      throw new NotSettledError(
        'failed',
        `${name} could not be provisioned: ${provisioningStatusDetail?.message ?? 'no reason given'}`,
      );
  }
}
