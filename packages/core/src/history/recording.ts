import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import type { Resource } from '../kinds/index.ts';
import { allowsOn, type Reply, type Request, type Route } from '../http/index.ts';
import { preciseTimestamp } from '../world/index.ts';
import { publicMessage, type History } from './history.ts';
import type { HistoryEvent } from './kinds.ts';

/**
 * The same routes, except that routes with `records` store the caller, the action and the outcome before they answer.
 *
 * @example recordedRoutes(networkRoutes(context), networkHistory)
 */
export function recordedRoutes(routes: readonly Route[], history: History): readonly Route[] {
  return routes.map((route) =>
    route.records === undefined || route.records === false
      ? route
      : { ...route, handler: (request) => recorded(route, request, history) },
  );
}

async function recorded(
  route: Route,
  request: Request,
  history: History,
): Promise<Awaited<ReturnType<Route['handler']>>> {
  const { subject } = history;
  if (subject.leavesOut?.(request.caller)) return route.handler(request);
  const asked = askedBy(route, request);
  const before = await objectOf(request, history);
  try {
    const answer = await route.handler(request);
    if (!('status' in answer)) return answer;
    if (before)
      await history.commit(
        before.metadata.name,
        { ...asked, ...(await outcomeOf(answer, request, history, before)) },
        before,
      );
    else await recordCreation(asked, request, answer, history);
    return answer;
  } catch (error) {
    // The history is not changed by a caller who may not read the object. The audit log has the request.
    if (before && allowsOn(request.acl, subject.endpoint, 'read', before.metadata))
      history.record(before.metadata.name, { ...asked, outcome: 'refused', message: publicMessage(error) }, before);
    throw error;
  }
}

/** The creator is stored with the object itself, so this entry does not have to be stored before the response. */
async function recordCreation(asked: Asked, { runtime }: Request, { body }: Reply, history: History): Promise<void> {
  if (!created.Check(body)) return;
  const { id } = body.metadata;
  const object = await runtime.store.get(history.subject.kind, id);
  history.record(id, { ...asked, outcome: 'accepted' }, object);
}

type Asked = Omit<HistoryEvent, 'outcome'>;

function askedBy({ records, method }: Route, { caller, query, traceId, runtime }: Request): Asked {
  return {
    type: 'intent',
    time: preciseTimestamp(runtime.world.now()),
    action: typeof records === 'function' ? records(query) : records || method,
    actor: caller.principal.actor ?? caller.subject,
    traceId,
  };
}

async function objectOf({ params, runtime }: Request, { subject }: History): Promise<Resource | undefined> {
  const id = params[subject.param];
  return id === undefined ? undefined : runtime.store.get(subject.kind, id);
}

const created = Compile(Type.Object({ metadata: Type.Object({ id: Type.String() }) }));

const refusal = Compile(Type.Object({ error_description: Type.String() }));

/** The outcome of a request, and the changed fields if it is an update. */
async function outcomeOf(
  { status, body }: Reply,
  request: Request,
  history: History,
  before: Resource,
): Promise<Omit<HistoryEvent, 'type' | 'action'>> {
  if (status >= 400) return { outcome: 'refused', ...(refusal.Check(body) ? { message: body.error_description } : {}) };
  const { subject } = history;
  const { uid, generation } = before.metadata;
  const after = subject.changes ? await objectOf(request, history) : undefined;
  const changes =
    after?.metadata.uid === uid && after.metadata.generation !== generation
      ? (subject.changes?.(before, after) ?? [])
      : [];
  return { outcome: 'accepted', ...(changes.length > 0 ? { changes } : {}) };
}
