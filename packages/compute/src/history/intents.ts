import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { allowsOn, type Method, type Reply, type Request, type Route } from '@unikorn/core/http';
import { preciseTimestamp } from '@unikorn/core/world';

import { endpoints } from '../handlers/endpoints.ts';
import { ComputeInstance } from '../kinds/index.ts';
import { changesBetween, wireFields, wishOf } from '../plan/index.ts';
import { toldOf, type Happening, type History } from './history.ts';

/** Reads that hand out a way into a machine, for which people answer as for a change. */
const entrances = ['/sshkey', '/consolesession'];

/** Plans are noted as what they are. */
function isIntent({ method, path }: Route): boolean {
  return method === 'GET' ? entrances.some((end) => path.endsWith(end)) : !path.endsWith('/plan');
}

/** The same operations, except that who asked for what is in the history before they are answered. */
export function recordedIntents(routes: readonly Route[], history: History): readonly Route[] {
  return routes.map((route) =>
    isIntent(route) ? { ...route, handler: (request) => recorded(route, request, history) } : route,
  );
}

async function recorded(
  route: Route,
  request: Request,
  history: History,
): Promise<Awaited<ReturnType<Route['handler']>>> {
  const asked = askedBy(route, request);
  const before = await instanceOf(request);
  try {
    const answer = await route.handler(request);
    if (!('status' in answer)) return answer;
    if (before)
      await history.commit(before.metadata.name, { ...asked, ...(await cameOf(answer, request, before)) }, before);
    else await recordCreation(asked, request, answer, history);
    return answer;
  } catch (error) {
    // Somebody who may not even see the instance leaves no trace in what its owners read; the audit log has it.
    if (before && allowsOn(request.acl, endpoints.instances, 'read', before.metadata))
      history.record(before.metadata.name, { ...asked, outcome: 'refused', message: toldOf(error) }, before);
    throw error;
  }
}

/** Who asked for an instance is stored with it; only what else there is to tell of the request waits to be written. */
async function recordCreation(asked: Asked, { runtime }: Request, { body }: Reply, history: History): Promise<void> {
  if (!created.Check(body)) return;
  const { id } = body.metadata;
  const instance = await runtime.store.get(ComputeInstance, id);
  history.record(id, { ...asked, outcome: 'accepted' }, instance);
}

/** What a method does to the instance itself; any other word is in the path. */
const verbs: Readonly<Partial<Record<Method, string>>> = { POST: 'create', PUT: 'update', DELETE: 'delete' };

type Asked = Omit<Happening, 'outcome'>;

function askedBy({ method, path }: Route, { caller, query, traceId, runtime }: Request): Asked {
  const last = path.split('/').at(-1) ?? '';
  const verb = last.startsWith('{') || last === 'instances' ? (verbs[method] ?? method) : last;
  const action = query['hard'] === true ? `hard ${verb}` : verb;
  return {
    type: 'intent',
    time: preciseTimestamp(runtime.world.now()),
    action,
    actor: caller.principal.actor ?? caller.subject,
    traceId,
  };
}

async function instanceOf({ params, runtime }: Request): Promise<ComputeInstance | undefined> {
  const { instanceID } = params;
  return instanceID === undefined ? undefined : runtime.store.get(ComputeInstance, instanceID);
}

const created = Compile(Type.Object({ metadata: Type.Object({ id: Type.String() }) }));

const refusal = Compile(Type.Object({ error_description: Type.String() }));

/** What came of it: for a change, what it changed. */
async function cameOf(
  { status, body }: Reply,
  request: Request,
  before: ComputeInstance,
): Promise<Omit<Happening, 'type' | 'action'>> {
  if (status >= 400) return { outcome: 'refused', ...(refusal.Check(body) ? { message: body.error_description } : {}) };
  const { uid, generation } = before.metadata;
  const after = await instanceOf(request);
  const changes =
    after?.metadata.uid === uid && after.metadata.generation !== generation
      ? changesBetween(wishOf(before.spec), wishOf(after.spec))
      : [];
  return {
    outcome: 'accepted',
    ...(changes.length > 0
      ? { changes: changes.map(({ field, disruption }) => ({ field: wireFields[field], action: disruption })) }
      : {}),
  };
}
