import { Failure } from '../failure.ts';
import { find, toldApart } from '../finding.ts';
import { deletedInstance } from '../nouns/deleted-instance.ts';
import { instance } from '../nouns/instance.ts';
import type { Named } from '../nouns/noun.ts';
import { nameLookup } from '../output/names.ts';
import { isId, list } from '../resources.ts';
import type { Session } from '../session.ts';
import { showHistory, type HistoryOptions } from '../verbs/history.ts';
import { opened } from '../verbs/verb.ts';
import type { InstanceCall } from './found.ts';

export async function historyVerb(call: InstanceCall<HistoryOptions>, name: string): Promise<void> {
  const { session, printing } = await opened(call);
  await showHistory({ ...call, noun: instance }, { session, printing }, await findEvenIfGone(session, name));
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
