import { createHash } from 'node:crypto';

import { Type } from 'typebox';

import { defineKind, type Resource } from '../kinds/index.ts';
import { Problem, problems, StillInProgress, type ProblemCode } from '../errors/index.ts';
import { limits } from '../limits.ts';

const Remembered = Type.Object({
  status: Type.Integer(),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** The JSON body of the response. */
  body: Type.Optional(Type.String()),
  /** Instead of a body: the problem in the response. */
  problem: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});

/** A digest of the caller, because the total size of a caller's keys is limited. */
export const callerLabel = 'idempotency.unikorn-cloud.org/caller';

/** A request with an `Idempotency-Key`: its state, a digest of the request, and its response. */
export const IdempotencyRecord = defineKind({
  group: 'core.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'IdempotencyRecord',
  plural: 'idempotencyrecords',
  realisation: 'static',
  archive: true,
  spec: Type.Object({
    fingerprint: Type.String(),
    /** The process that runs the request. */
    holder: Type.String(),
    /** Until when the holder is assumed to be alive, in milliseconds since the epoch. */
    leaseUntil: Type.Integer(),
    expiresAt: Type.Integer(),
  }),
  status: { remembered: Type.Optional(Remembered) },
  indexedLabels: [callerLabel],
});
export type IdempotencyRecord = Resource<typeof IdempotencyRecord>;
export type Remembered = NonNullable<NonNullable<IdempotencyRecord['status']>['remembered']>;

/** The record name of a key. Keys of different callers or operations never collide. */
export function recordName(parts: {
  readonly subject: string;
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}): string {
  const { subject, actor, method, path, key } = parts;
  return `k${createHash('sha256')
    .update(JSON.stringify([subject, actor, method, path, key]))
    .digest('hex')}`;
}

/** A digest of the subject only: requests that a service makes for users count as its own. */
export function callerDigest(subject: string): string {
  return createHash('sha256').update(subject).digest('hex').slice(0, 40);
}

/** Approximate size of a record without its response. */
export const record_bytes = 1024;

export function sizeOf({ status }: IdempotencyRecord): number {
  return record_bytes + (status?.remembered?.body?.length ?? 0);
}

/** A digest of the request: the request itself is never stored. */
export function fingerprintOf(query: unknown, body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([query, body ?? null]))
    .digest('hex');
}

export function parseIdempotencyKey(header: string | readonly string[]): string {
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new Problem(
      'invalid_request',
      'header Idempotency-Key: must be given once, with 1 to 255 visible ASCII characters',
    );
  }
  return header;
}

interface Asker {
  readonly fingerprint: string;
  readonly instance: string;
  readonly now: number;
  /** If no other process uses the store, a holder that is not this process has ended. */
  readonly sole: boolean;
}

/** How to handle a key that was used before, and has not expired. */
export type Repetition = { readonly type: 'run again' } | { readonly type: 'replay'; readonly remembered: Remembered };

export function repetitionOf(record: IdempotencyRecord, asker: Asker): Repetition {
  const { fingerprint, holder, leaseUntil } = record.spec;
  if (fingerprint !== asker.fingerprint)
    throw new Problem(
      'unprocessable_content',
      'header Idempotency-Key: was already used for a different request; use a new key',
    );
  const remembered = record.status?.remembered;
  if (remembered) return { type: 'replay', remembered };
  const dead = asker.sole && holder !== asker.instance;
  if (dead || leaseUntil <= asker.now) return { type: 'run again' };
  throw stillInProgress();
}

export function stillInProgress(cause?: unknown): Problem {
  return new StillInProgress('a request with this Idempotency-Key is still in progress; try again in a moment', {
    cause,
  });
}

/** A response that can change with a retry is not stored. A response that is too large is not stored either. */
export function isRemembered({ status, body = '' }: Remembered): boolean {
  return status < 500 && status !== 401 && status !== 403 && body.length < limits.objectBytes / 2;
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}
