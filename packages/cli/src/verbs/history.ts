import { dataOf, type History } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { namesFor } from '../instance/references.ts';
import { printDocument } from '../instance/print.ts';
import { actorsIn, renderHistory } from '../instance/render-history.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { coloursFor } from '../output/colours.ts';
import { isId } from '../resources.ts';
import type { Session } from '../session.ts';
import { opened, type Call } from './verb.ts';

export type HistoryOptions = GlobalOptions & { readonly limit?: number };

interface Query {
  readonly limit?: number;
}

type Read = (session: Session, id: string, query: Query) => Promise<History>;

/** How the history of each noun is read. Instances have their own verb, which also finds deleted ones by name. */
const readers: Readonly<Record<string, Read>> = {
  network: ({ unikorn }, networkID, query) =>
    dataOf(unikorn.region.GET('/api/v2/networks/{networkID}/history', { params: { path: { networkID }, query } })),
  securitygroup: ({ unikorn }, securityGroupID, query) =>
    dataOf(
      unikorn.region.GET('/api/v2/securitygroups/{securityGroupID}/history', {
        params: { path: { securityGroupID }, query },
      }),
    ),
  loadbalancer: ({ unikorn }, loadBalancerID, query) =>
    dataOf(
      unikorn.region.GET('/api/v2/loadbalancers/{loadBalancerID}/history', {
        params: { path: { loadBalancerID }, query },
      }),
    ),
  filestorage: ({ unikorn }, filestorageID, query) =>
    dataOf(
      unikorn.region.GET('/api/v2/filestorage/{filestorageID}/history', { params: { path: { filestorageID }, query } }),
    ),
  project: async (session, projectID, query) =>
    dataOf(
      session.unikorn.identity.GET('/api/v1/organizations/{organizationID}/projects/{projectID}/history', {
        params: { path: { organizationID: await session.idOf('organization'), projectID }, query },
      }),
    ),
};

export async function historyVerb(call: Call<HistoryOptions>, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { session, printing } = await opened(call);
  const read = readers[noun.name];
  if (!read) throw new Failure('usage', `${noun.plural} have no history`);
  const object = await findEvenIfGone(session, noun, name);
  const entries = await read(session, object.metadata.id, options.limit === undefined ? {} : { limit: options.limit });
  await printDocument(printing, entries, async () =>
    renderHistory(
      entries,
      await namesFor(actorsIn(entries), object, printing.names),
      coloursFor(terminal.stdout, terminal.env),
    ),
  );
}

/** A history remains after its resource is deleted. Then it is found by the id, which the activity shows. */
async function findEvenIfGone(session: Session, noun: Noun, name: string): Promise<Named> {
  try {
    return await find(session, noun, name);
  } catch (error) {
    if (!(error instanceof Failure) || error.ending !== 'notFound' || !isId(name)) throw error;
    return { metadata: { id: name, name } };
  }
}
