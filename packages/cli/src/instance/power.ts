import { NotSettledError, type Change, type Instance } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { instance } from '../nouns/instance.ts';
import { printList } from '../output/print.ts';
import { reasonOf } from '../output/view.ts';
import { handleOf, refusalOf } from '../resources.ts';
import type { Session } from '../session.ts';
import { opened } from '../verbs/verb.ts';
import type { WaitOptions } from '../wait/options.ts';
import { waiting } from '../wait/waiting.ts';
import { diagnosisOf } from '../explain/explain.ts';
import { at, readInstance, type InstanceCall } from './found.ts';

export type PowerVerb = 'start' | 'stop' | 'reboot';
export type PowerOptions = GlobalOptions & WaitOptions & { readonly hard?: boolean };

type PowerState = NonNullable<Instance['status']['powerState']>;

/** The power state that each verb leads to. */
const targets = { start: 'Running', stop: 'Stopped', reboot: 'Running' } as const satisfies Record<
  PowerVerb,
  PowerState
>;

/**
 * Whether an instance is in the power state of a verb. During a reboot the state stays running, so the time of the last
 * reboot is compared.
 */
export function reached(verb: PowerVerb, { status: { rebootedAt: before } }: Instance): (now: Instance) => boolean {
  return ({ status: { powerState, rebootingSince, rebootedAt } }) =>
    powerState === targets[verb] && (verb !== 'reboot' || (rebootingSince === undefined && rebootedAt !== before));
}

/** Changes the power of instances, and waits for the result. */
export async function powerVerb(
  call: InstanceCall<PowerOptions>,
  verb: PowerVerb,
  names: readonly string[],
): Promise<void> {
  const { terminal, options } = call;
  const { session, printing } = await opened(call);
  // All instances are looked up before any is changed, so that a wrong name changes nothing.
  const objects = await Promise.all(names.map((name) => find(session, instance, name)));
  const instances = await Promise.all(objects.map(({ metadata }) => readInstance(session, metadata.id)));
  for (const current of instances) await request(session, verb, current, options.hard ?? false);
  const now = options.wait
    ? await waitForPower(call, session, verb, instances)
    : await Promise.all(instances.map(({ metadata }) => readInstance(session, metadata.id)));
  for (const {
    metadata: { name },
  } of now)
    terminal.stderr.write(`instance ${name} ${options.wait ? done[verb] : begun[verb]}\n`);
  await printList(instance, now, { ...printing, format: options.output ?? 'table' });
}

const begun: Readonly<Record<PowerVerb, string>> = {
  start: 'was asked to start',
  stop: 'was asked to stop',
  reboot: 'is being rebooted',
};
const done: Readonly<Record<PowerVerb, string>> = { start: 'runs', stop: 'is stopped', reboot: 'was rebooted' };

/** Skips instances that already are in the requested state. The service decides this. */
async function request(session: Session, verb: PowerVerb, { metadata }: Instance, hard: boolean): Promise<void> {
  const action = verb === 'reboot' ? (hard ? 'hardreboot' : 'softreboot') : verb;
  if ((await refusalOf(session, instance, metadata.id, action))?.fulfilled) return;
  const { compute } = session.unikorn;
  const { path } = at(metadata.id).params;
  switch (verb) {
    case 'start':
      await compute.POST('/api/v2/instances/{instanceID}/start', { params: { path } });
      return;
    case 'stop':
      await compute.POST('/api/v2/instances/{instanceID}/stop', { params: { path } });
      return;
    case 'reboot':
      await compute.POST('/api/v2/instances/{instanceID}/reboot', { params: { path, query: { hard } } });
  }
}

function waitForPower(
  { terminal, options }: InstanceCall<PowerOptions>,
  session: Session,
  verb: PowerVerb,
  instances: readonly Instance[],
): Promise<readonly Instance[]> {
  const onward =
    `unikorn instance watch ${instances.length === 1 ? instances.map((only) => handleOf(instance, only)).join('') : ''}`.trimEnd();
  return waiting(terminal, { timeout_ms: options.timeout, onward }, (signal, progress) =>
    Promise.all(
      instances.map(async (current) => {
        const changes = session.unikorn.compute.follow('/api/v2/instances/{instanceID}', {
          ...at(current.metadata.id),
          signal,
          onInterruption: progress.onInterruption,
        });
        const onChange = (now: Instance) => {
          progress.show({
            subject: `instance ${now.metadata.name}`,
            state: now.status.rebootingSince === undefined ? (now.status.powerState ?? 'unknown') : 'Rebooting',
            reason: reasonOf(instance, now),
          });
        };
        try {
          return await powered(changes, reached(verb, current), onChange);
        } catch (error) {
          if (!(error instanceof NotSettledError)) throw error;
          throw new Failure(
            'refused',
            error.message,
            ...(error.outcome === 'failed' ? await diagnosisOf(instance)(session, current, terminal) : []),
          );
        }
      }),
    ),
  );
}

/** Waits until an instance is in the requested power state. Throws a `NotSettledError` if it fails or is deleted. */
export async function powered(
  changes: AsyncIterable<Change<Instance>>,
  isReached: (now: Instance) => boolean,
  onChange: (current: Instance) => void,
): Promise<Instance> {
  let seen: string | undefined;
  for await (const change of changes) {
    if (change.type === 'deleted')
      throw new NotSettledError('deleted', `${seen ?? change.object.metadata.id} was deleted`);
    if (!('object' in change)) continue;
    const { object } = change;
    const { name, provisioningStatus, provisioningStatusDetail } = object.metadata;
    seen = name;
    onChange(object);
    if (isReached(object)) return object;
    if (provisioningStatus === 'error')
      throw new NotSettledError('failed', `${name} failed: ${provisioningStatusDetail?.message ?? 'no reason given'}`);
  }
  throw new TypeError('the stream ended');
}
