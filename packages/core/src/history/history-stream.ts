import { allowsOn, type Request, type ServerEvent } from '../http/index.ts';
import { matching } from '../store/index.ts';
import type { History } from './history.ts';
import { entryEvents, unmergedEntries, type StreamedParts } from './stream.ts';

/** The history of an object as events. */
export function historyEvents(
  history: History,
  request: Request,
  id: string,
  limit: number,
): AsyncGenerator<ServerEvent> {
  const {
    subject: { storage, endpoint },
  } = history;
  const source: Omit<StreamedParts, 'kind'> = {
    view: ({ acl }) => ({
      selector: matching({ [storage.labels.subject]: id }),
      visible: ({ metadata }) => allowsOn(acl, endpoint, 'read', metadata),
    }),
    entriesOf: unmergedEntries,
  };
  const sources = [storage.parts, storage.gone].map((kind) => ({ ...source, kind }));
  return entryEvents(request, sources, async (upTo) => (await history.read(id, { limit, upTo })).entries);
}
