import { dataOf, type Instance } from '@unikorn/sdk';

import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { instance } from '../nouns/instance.ts';
import { beside } from '../resources.ts';
import type { Session } from '../session.ts';
import { opened, type Call, type Opened } from '../verbs/verb.ts';

/** The input of an instance verb. */
export type InstanceCall<Options extends GlobalOptions = GlobalOptions> = Call<Options>;

/** The instance of a command, and a session in its scope. */
export interface Found extends Opened {
  readonly current: Instance;
}

export async function found(call: InstanceCall, name: string): Promise<Found> {
  const { session, printing } = await opened(call);
  const object = await find(session, instance, name);
  return { session: beside(session, object), printing, current: await readInstance(session, object.metadata.id) };
}

export function readInstance({ unikorn }: Session, id: string): Promise<Instance> {
  return dataOf(unikorn.compute.GET('/api/v2/instances/{instanceID}', at(id)));
}

/** The parameters of a request about one instance. */
export function at(id: string) {
  return { params: { path: { instanceID: id } } } as const;
}
