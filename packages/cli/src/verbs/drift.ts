import { demandConsent, type Destruction } from '../ask.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { typeable } from '../hints.ts';
import { instance } from '../nouns/instance.ts';
import { about, handleOf, nameOf } from '../resources.ts';
import type { YesOption } from '../yes-option.ts';
import { opened, type Call } from './verb.ts';

/** What can happen to a machine in a simulated cloud. */
export type Drift = 'stopped' | 'failed' | 'deleted';

export type DriftOptions = GlobalOptions & YesOption & { readonly as: Drift };

const destructions = {
  stopped: { verb: 'stop' },
  failed: { verb: 'break' },
  deleted: { verb: 'delete', losses: ['its disk and its data'] },
} as const satisfies Readonly<Record<Drift, Omit<Destruction, 'what'>>>;

/** Changes the machine of an instance in a simulated cloud, without the control plane. */
export async function driftVerb(call: Call<DriftOptions>, name: string, instanceName: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { session } = await opened(call);
  const region = await find(session, noun, name);
  const regionID = region.metadata.id;
  const found = await find(about(session, { region: regionID }), instance, instanceName);
  const machine = `the machine of instance ${nameOf(instance, found)} in region ${nameOf(noun, region)}`;
  await demandConsent(terminal, options, { ...destructions[options.as], what: machine });
  // A machine has the id of its instance.
  const body = { kind: 'server', id: found.metadata.id, drift: options.as } as const;
  await session.unikorn.region.POST('/api/v2/regions/{regionID}/simulation/drift', {
    params: { path: { regionID } },
    body,
  });
  const watch = `the monitor will notice it; follow the instance: unikorn instance watch ${handleOf(instance, found)}`;
  terminal.stderr.write(`${machine} is ${options.as}\n${typeable(watch, terminal.env, options)}\n`);
}
