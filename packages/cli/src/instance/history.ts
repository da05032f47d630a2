import { dataOf } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { find, toldApart } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { deletedInstance } from '../nouns/deleted-instance.ts';
import { instance } from '../nouns/instance.ts';
import type { Named } from '../nouns/noun.ts';
import { coloursFor } from '../output/colours.ts';
import { nameLookup } from '../output/names.ts';
import { isId, list } from '../resources.ts';
import type { Session } from '../session.ts';
import { opened } from '../verbs/verb.ts';
import type { InstanceCall } from './found.ts';
import { printDocument } from './print.ts';
import { namesFor } from './references.ts';
import { actorsIn, renderHistory } from './render-history.ts';

export type HistoryOptions = GlobalOptions & { readonly limit?: number };

export async function historyVerb(call: InstanceCall<HistoryOptions>, name: string): Promise<void> {
  const {
    terminal,
    options: { limit },
  } = call;
  const { session, printing } = await opened(call);
  const object = await findEvenIfGone(session, name);
  const params = { path: { instanceID: object.metadata.id }, query: limit === undefined ? {} : { limit } };
  const entries = await dataOf(session.unikorn.compute.GET('/api/v2/instances/{instanceID}/history', { params }));
  await printDocument(printing, entries, async () =>
    renderHistory(
      entries,
      await namesFor(actorsIn(entries), object, printing.names),
      coloursFor(terminal.stdout, terminal.env),
    ),
  );
}

/** A history remains after its instance is deleted. Then it is found in the list of deleted instances. */
async function findEvenIfGone(session: Session, name: string): Promise<Named> {
  try {
    return await find(session, instance, name);
  } catch (error) {
    if (!(error instanceof Failure) || error.ending !== 'notFound') throw error;
    const gone = isId(name) ? [{ metadata: { id: name, name } }] : await list(session, deletedInstance, { name });
    const [first] = gone;
    if (!first) throw error;
    // A name in a network may have been used several times. These instances have one id and one history.
    const others = gone.filter(
      ({ metadata }, index) => gone.findIndex((one) => one.metadata.id === metadata.id) === index,
    );
    if (others.length > 1)
      throw new Failure(
        'refused',
        `several deleted instances were called ${name}; use the id instead`,
        ...(await toldApart(deletedInstance, others, nameLookup(session))),
      );
    return first;
  }
}
