import { defined } from '../defined.ts';
import { isProblem, Problem, StillInProgress } from '../errors/index.ts';
import { limits, waits } from '../limits.ts';
import { deterministicId } from '../resource/index.ts';
import type { Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import {
  callerDigest,
  callerLabel,
  fingerprintOf,
  IdempotencyRecord,
  isProblemCode,
  isRemembered,
  parseIdempotencyKey,
  record_bytes,
  recordName,
  repetitionOf,
  sizeOf,
  stillInProgress,
  type Remembered,
} from './idempotency-record.ts';
import { idempotencyRoomIn } from './idempotency-room.ts';
import { isStream, isStreamedReply, type Answer, type Reply, type Request, type Runtime } from './request.ts';
import type { Route } from './route.ts';

/**
 * Runs the handler once for each `Idempotency-Key`. A request without a key always runs.
 *
 * The handler runs again if the process of the first run died, or could not reach the store for longer than its lease.
 * Both runs can then overlap. So the ids of everything that the request makes are derived from the record of its key
 * (`newId`), also that of its saga. The store refuses to begin that saga twice, and a run after its end finds what was
 * made (`madeBefore`).
 */
export async function runOnce(route: Route, request: Request): Promise<Answer> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return route.handler(request);
  const key = parseIdempotencyKey(header);
  if (route.idempotency === 'refuse') {
    throw new Problem(
      'invalid_request',
      'header Idempotency-Key: is not supported here, because the response contains a secret that is never stored; send the request without it',
    );
  }
  const claimed = await claim(request, key);
  if (claimed.type === 'replay') return replay(claimed.remembered);
  const { record, isRepeated } = claimed;
  const newId = (purpose: string) => deterministicId(record.metadata.uid, purpose);
  return runClaimed(route, { ...request, isRepeated, newId }, record);
}

type Claim =
  | { readonly type: 'replay'; readonly remembered: Remembered }
  | { readonly type: 'run'; readonly record: IdempotencyRecord; readonly isRepeated: boolean };

async function claim(request: Request, key: string): Promise<Claim> {
  const { store, world, instance } = request.runtime;
  const { subject, principal } = request.caller;
  const path = request.url.split('?', 1)[0] ?? '';
  const name = recordName({ subject, actor: principal.actor ?? '', method: request.method, path, key });
  const fingerprint = fingerprintOf(request.query, request.body);
  const spec = {
    fingerprint,
    holder: instance,
    leaseUntil: world.now() + limits.lease_ms,
    expiresAt: world.now() + waits.idempotency_ms,
  };

  const existing = await store.get(IdempotencyRecord, name);
  // A key that is used after a day is a new one, with new ids.
  const isExpired = existing !== undefined && existing.spec.expiresAt <= world.now();
  if (isExpired) await forget(store, existing);
  if (!existing || isExpired) {
    const caller = callerDigest(subject);
    const room = idempotencyRoomIn(store);
    await room.demand(caller, world);
    const record = await claimed(
      store.create(IdempotencyRecord, { metadata: { name, labels: { [callerLabel]: caller } }, spec }),
    );
    room.add(caller, record_bytes);
    return { type: 'run', record, isRepeated: false };
  }
  const repetition = repetitionOf(existing, { fingerprint, instance, now: world.now(), sole: store.sole });
  if (repetition.type === 'replay') return repetition;
  const record = await claimed(store.update(IdempotencyRecord, { metadata: existing.metadata, spec }));
  return { type: 'run', record, isRepeated: true };
}

/**
 * If two requests claim a key at the same time, the store accepts one. The other request is told that the key is in
 * use.
 */
async function claimed(write: Promise<IdempotencyRecord>): Promise<IdempotencyRecord> {
  try {
    return await write;
  } catch (error) {
    if (isProblem(error, 'conflict') || isProblem(error, 'not_found')) {
      throw stillInProgress(error);
    }
    throw error;
  }
}

async function runClaimed(route: Route, request: Request, record: IdempotencyRecord): Promise<Answer> {
  const lease = holdLease(request.runtime, record);
  const outcome = await outcomeOf(route, request);
  await lease.release();
  await settle(request, lease.current(), outcome);
  if (outcome.type === 'problem') throw outcome.thrown;
  return outcome.reply;
}

type Outcome =
  { readonly type: 'reply'; readonly reply: Reply } | { readonly type: 'problem'; readonly thrown: unknown };

async function outcomeOf(route: Route, request: Request): Promise<Outcome> {
  try {
    const answer = await route.handler(request);
    if (isStream(answer) || isStreamedReply(answer))
      throw new Error('an operation that accepts an Idempotency-Key cannot answer with a stream');
    return { type: 'reply', reply: answer };
  } catch (thrown) {
    return { type: 'problem', thrown };
  }
}

/**
 * Renews the lease of the record while the handler runs, so that other processes know that the request is in progress.
 * A renewal that fails is tried again, until another process has claimed the key.
 */
function holdLease({ store, world }: Runtime, record: IdempotencyRecord) {
  const stop = new AbortController();
  let current = record;
  const renew = async (): Promise<'renewed' | 'failed' | 'lost'> => {
    try {
      current = await store.update(IdempotencyRecord, {
        metadata: current.metadata,
        spec: { ...current.spec, leaseUntil: world.now() + limits.lease_ms },
      });
      return 'renewed';
    } catch (error) {
      if (!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) return 'failed';
      return (await isStillOurs().catch(() => true)) ? 'failed' : 'lost';
    }
  };
  /** A renewal may have taken effect although it seemed to fail. */
  const isStillOurs = async (): Promise<boolean> => {
    const stored = await store.get(IdempotencyRecord, current.metadata.name);
    if (stored?.metadata.uid !== current.metadata.uid || stored.spec.holder !== current.spec.holder) return false;
    current = stored;
    return true;
  };
  const renewing = (async () => {
    for (let pause_ms = limits.lease_ms / 3; ;) {
      await world.sleep(pause_ms, stop.signal);
      if (stop.signal.aborted) return;
      const outcome = await renew();
      if (outcome === 'lost') return;
      pause_ms = limits.lease_ms / (outcome === 'renewed' ? 3 : 15);
    }
  })();
  return {
    current: () => current,
    release: () => {
      stop.abort();
      return renewing;
    },
  };
}

/**
 * The response is valid even if its record cannot be written. In that case the key stays claimed until its lease ends.
 *
 * After a failure that may have had effects, the key can be used again at once, and its next run gets the same ids.
 */
async function settle(request: Request, record: IdempotencyRecord, outcome: Outcome): Promise<void> {
  const { store } = request.runtime;
  const remembered = memoryOf(outcome);
  try {
    if (remembered && isRemembered(remembered)) {
      await store.updateStatus(IdempotencyRecord, { metadata: record.metadata, status: { remembered } });
      idempotencyRoomIn(store).add(callerDigest(request.caller.subject), remembered.body?.length ?? 0);
    } else if (outcome.type === 'problem' && isWithoutEffect(outcome.thrown)) {
      await forget(store, record);
      idempotencyRoomIn(store).add(callerDigest(request.caller.subject), -record_bytes);
    } else {
      await store.update(IdempotencyRecord, { metadata: record.metadata, spec: { ...record.spec, leaseUntil: 0 } });
    }
  } catch (error) {
    request.log.error({ error }, 'the response to an idempotent request could not be stored');
  }
}

function memoryOf(outcome: Outcome): Remembered | undefined {
  if (outcome.type === 'problem') {
    const { thrown } = outcome;
    return isProblem(thrown) && !(thrown instanceof StillInProgress)
      ? { status: thrown.status, problem: { code: thrown.code, message: thrown.message } }
      : undefined;
  }
  const { status, headers, body } = outcome.reply;
  return { status, ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

/** A refusal. Other failures can come after an effect. */
function isWithoutEffect(thrown: unknown): boolean {
  return isProblem(thrown) && thrown.status < 500 && !(thrown instanceof StillInProgress);
}

function replay({ status, headers, body, problem }: Remembered): Reply {
  if (problem) throw new Problem(isProblemCode(problem.code) ? problem.code : 'server_error', problem.message);
  return {
    status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
    ...(body === undefined ? {} : { body: JSON.parse(body) }),
  };
}

async function forget(store: Store, record: IdempotencyRecord): Promise<void> {
  try {
    await store.delete(IdempotencyRecord, record.metadata.name, {
      preconditions: { resourceVersion: record.metadata.resourceVersion },
    });
  } catch (error) {
    if (!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) throw error;
  }
}

/** Deletes expired records. Several processes may do this at the same time. */
export async function sweepIdempotencyRecords(store: Store, world: World): Promise<void> {
  const sizes = new Map<string, number>();
  let from: string | undefined;
  do {
    const page = await store.list(IdempotencyRecord, {
      limit: limits.pageItems,
      ...defined({ continue: from }),
    });
    for (const record of page.items) {
      const caller = record.metadata.labels?.[callerLabel] ?? '';
      if (record.spec.expiresAt <= world.now()) await forget(store, record);
      else sizes.set(caller, (sizes.get(caller) ?? 0) + sizeOf(record));
    }
    from = page.continue;
  } while (from !== undefined);
  idempotencyRoomIn(store).recount(sizes);
}
