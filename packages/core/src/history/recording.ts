import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import type { Resource } from '../kinds/index.ts';
import type { OpenLine } from '../lines/index.ts';
import { allowsOn, type Reply, type Request, type Route } from '../http/index.ts';
import { getKnown } from '../store/index.ts';
import { preciseTimestamp } from '../world/index.ts';
import { publicMessage, type History } from './history.ts';
import type { HistoryEvent } from './kinds.ts';

/** Finds the objects that requests are about. By default they are in the store. */
export interface RecordedObjects {
  /** The object that the path names, before the request is handled. */
  named(request: Request): Promise<Resource | undefined>;
  /** The same object after the request has changed it. */
  changed(request: Request): Promise<Resource | undefined>;
  /** The object that a request has created, from the body of the response. */
  created(request: Request, body: unknown): Promise<Resource | undefined>;
}

/**
 * The same routes, except that routes with `records` store the caller, the action and the outcome before they answer.
 *
 * @example recordedRoutes(networkRoutes(context), networkHistory)
 */
export function recordedRoutes(
  routes: readonly Route[],
  history: History,
  objects: RecordedObjects = storedObjects(history),
): readonly Route[] {
  return routes.map((route) =>
    route.records === undefined || route.records === false
      ? route
      : { ...route, handler: (request) => recorded(route, request, history, objects) },
  );
}

function storedObjects({ subject: { kind, param } }: History): RecordedObjects {
  return {
    named: async ({ params, runtime }) => {
      const id = params[param];
      return id === undefined ? undefined : runtime.store.get(kind, id);
    },
    // This process has just written the object, so its own copy has it.
    changed: async ({ params, runtime }) => runtime.store.get(kind, params[param] ?? '', { cached: true }),
    created: async ({ runtime }, body) =>
      created.Check(body) ? getKnown(runtime.store, kind, body.metadata.id) : undefined,
  };
}

async function recorded(
  route: Route,
  request: Request,
  history: History,
  objects: RecordedObjects,
): Promise<Awaited<ReturnType<Route['handler']>>> {
  const { subject } = history;
  if (subject.leavesOut?.(request.caller)) return route.handler(request);
  const asked = askedBy(route, request);
  const before = await objects.named(request);
  try {
    const isRead = before !== undefined && subject.isStored !== false;
    const answer = await route.handler(
      isRead ? { ...request, found: { kind: subject.kind, object: before } } : request,
    );
    if (!('status' in answer)) return answer;
    const { line } = 'line' in answer ? answer : {};
    if (line) return { ...answer, line: recordedLine(line, asked, request, history, before) };
    if (before)
      await history.commit(
        before.metadata.name,
        { ...asked, ...(await outcomeOf(answer, request, history, objects, before)) },
        before,
      );
    else await recordCreation(asked, request, answer, history, objects);
    return answer;
  } catch (error) {
    // The history is not changed by a caller who may not read the object. The audit log has the request.
    if (before && allowsOn(request.acl, subject.endpoint, 'read', before.metadata))
      history.record(before.metadata.name, { ...asked, outcome: 'refused', message: publicMessage(error) }, before);
    throw error;
  }
}

/** A line is recorded when it is opened. A request that only asks whether it could be opened is not. */
function recordedLine(
  open: OpenLine,
  asked: Asked,
  { acl }: Request,
  history: History,
  before: Resource | undefined,
): OpenLine {
  return async (signal) => {
    try {
      const line = await open(signal);
      if (before) history.record(before.metadata.name, { ...asked, outcome: 'accepted' }, before);
      return line;
    } catch (error) {
      if (before && allowsOn(acl, history.subject.endpoint, 'read', before.metadata))
        history.record(before.metadata.name, { ...asked, outcome: 'refused', message: publicMessage(error) }, before);
      throw error;
    }
  };
}

/** A stored object has its creator itself, so this entry does not have to be stored before the response. */
async function recordCreation(
  asked: Asked,
  request: Request,
  { body }: Reply,
  history: History,
  objects: RecordedObjects,
): Promise<void> {
  if (!created.Check(body)) return;
  const { id } = body.metadata;
  const object = await objects.created(request, body);
  const event: HistoryEvent = { ...asked, outcome: 'accepted' };
  if (history.subject.isStored === false) await history.commit(id, event, object);
  else history.record(id, event, object);
}

type Asked = Omit<HistoryEvent, 'outcome'>;

function askedBy({ records, method }: Route, request: Request): Asked {
  return requestEvent(typeof records === 'function' ? records(request.query) : records || method, request);
}

/**
 * The entry of a request, without its outcome. It is for requests that also concern another resource than their route.
 *
 * @example await images.commit(id, { ...requestEvent('create', request), outcome: 'accepted' }, image);
 */
export function requestEvent(
  action: string,
  { caller, traceId, runtime }: Pick<Request, 'caller' | 'traceId' | 'runtime'>,
): Asked {
  return {
    type: 'intent',
    time: preciseTimestamp(runtime.world.now()),
    action,
    actor: caller.principal.actor ?? caller.subject,
    traceId,
  };
}

const created = Compile(Type.Object({ metadata: Type.Object({ id: Type.String() }) }));

const refusal = Compile(Type.Object({ error_description: Type.String() }));

/** The outcome of a request, and the changed fields if it is an update. */
async function outcomeOf(
  { status, body }: Reply,
  request: Request,
  history: History,
  objects: RecordedObjects,
  before: Resource,
): Promise<Omit<HistoryEvent, 'type' | 'action'>> {
  if (status >= 400) return { outcome: 'refused', ...(refusal.Check(body) ? { message: body.error_description } : {}) };
  const { subject } = history;
  const { uid, generation } = before.metadata;
  const after = subject.changes ? await objects.changed(request) : undefined;
  const changes =
    after?.metadata.uid === uid && after.metadata.generation !== generation
      ? (subject.changes?.(before, after) ?? [])
      : [];
  return { outcome: 'accepted', ...(changes.length > 0 ? { changes } : {}) };
}
