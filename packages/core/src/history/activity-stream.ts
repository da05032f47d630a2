import type { Request, ServerEvent } from '../http/index.ts';
import type { Resource } from '../kinds/index.ts';
import { matches } from '../store/index.ts';
import { readActivity, shownOf, type ActivityView } from './activity.ts';
import type { HistoryStorage } from './kinds.ts';
import { entryEvents, unmergedEntries, type StreamedParts } from './stream.ts';

/** The activity as events, the newest entry last. `viewsFor` says what a caller may see. */
export function activityEvents(
  storage: HistoryStorage,
  viewsFor: (acl: Request['acl']) => readonly ActivityView[],
  request: Request,
  limit: number,
): AsyncGenerator<ServerEvent> {
  let views = viewsFor(request.acl);
  const viewOf = (part: Resource) =>
    views.find((view) => matches(view.selector, part.metadata.labels) && view.resourceOf(part) !== undefined);
  const source: StreamedParts = {
    kind: storage.parts,
    view: ({ acl }) => {
      views = viewsFor(acl);
      const [only, ...others] = views;
      return {
        selector: only && others.length === 0 ? only.selector : [],
        visible: (part) => viewOf(part) !== undefined,
      };
    },
    entriesOf: (part) => {
      const view = viewOf(part);
      return view ? shownOf(storage, view, part, unmergedEntries(part)) : [];
    },
  };
  return entryEvents(request, [source], async (upTo) =>
    (await readActivity(request.runtime.store, storage, views, limit, { upTo })).entries.toReversed(),
  );
}
