import { createHash } from 'node:crypto';

import { Type } from 'typebox';

import { defineKind, type Resource } from '../kinds/index.ts';
import { Problem, problems, type ProblemCode } from '../errors/index.ts';
import { limits } from '../limits.ts';

/** Long enough for a client that was offline overnight to ask again; short enough that the records stay few. */
export const retention_ms = 24 * 3600_000;

const Remembered = Type.Object({
  status: Type.Integer(),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** The JSON that was sent. */
  body: Type.Optional(Type.String()),
  /** Instead of a body: the problem that was shown. */
  problem: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});

/** Whose key it is, in digest: what a caller's keys take together is bounded. */
export const callerLabel = 'idempotency.unikorn-cloud.org/caller';

/**
 * A request that carried an `Idempotency-Key`: that it runs or ran, what it asked in digest, and what it was answered.
 */
export const IdempotencyRecord = defineKind({
  group: 'core.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'IdempotencyRecord',
  plural: 'idempotencyrecords',
  realisation: 'static',
  spec: Type.Object({
    fingerprint: Type.String(),
    /** The process that runs the request. */
    holder: Type.String(),
    /** Until when the holder is taken to be alive, in milliseconds since the epoch. */
    leaseUntil: Type.Integer(),
    expiresAt: Type.Integer(),
  }),
  status: { remembered: Type.Optional(Remembered) },
  indexedLabels: [callerLabel],
});
export type IdempotencyRecord = Resource<typeof IdempotencyRecord>;
export type Remembered = NonNullable<NonNullable<IdempotencyRecord['status']>['remembered']>;

/** The identity of a key: one client's key never meets another's, nor that of another operation. */
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

/** Of the subject alone: whatever a service does for others counts as its own. */
export function callerDigest(subject: string): string {
  return createHash('sha256').update(subject).digest('hex').slice(0, 40);
}

/** About what a record takes besides its answer. */
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
  /** No other process uses the store, so a holder that is not this process is dead. */
  readonly sole: boolean;
}

/** How to handle a key that was used before. */
export type Repetition = { readonly type: 'run again' } | { readonly type: 'replay'; readonly remembered: Remembered };

export function repetitionOf(record: IdempotencyRecord, asker: Asker): Repetition {
  const { fingerprint, holder, leaseUntil, expiresAt } = record.spec;
  if (expiresAt <= asker.now) return { type: 'run again' };
  if (fingerprint !== asker.fingerprint)
    throw new Problem(
      'unprocessable_content',
      'header Idempotency-Key: was already used for a different request; use a new key',
    );
  const remembered = record.status?.remembered;
  if (remembered) return { type: 'replay', remembered };
  const dead = asker.sole && holder !== asker.instance;
  if (dead || leaseUntil <= asker.now) return { type: 'run again' };
  throw new Problem('conflict', 'a request with this Idempotency-Key is still in progress; try again in a moment');
}

/** Answers that another try may change are not held against it; neither is one too large to store. */
export function isRemembered({ status, body = '' }: Remembered): boolean {
  return status < 500 && status !== 401 && status !== 403 && body.length < limits.objectBytes / 2;
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}
