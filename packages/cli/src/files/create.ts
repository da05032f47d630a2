import { createHash } from 'node:crypto';

import { ApiError } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { waits } from '../limits.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { create, createOnce, nameOf, read } from '../resources.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** An existing resource, and whether this run created it. */
export interface Created {
  readonly object: Named;
  readonly verb: 'created' | 'unchanged';
}

/**
 * Creates the resource of a manifest once, even if several commands do so at the same time: all of them use the same
 * idempotency key, and the service returns the resource of the first request to all.
 */
export async function createdOnce(
  session: Session,
  noun: Noun,
  document: object,
  { sleep, signal }: Pick<Terminal, 'sleep' | 'signal'>,
): Promise<Created> {
  let key = digestOf(noun.name, document);
  for (;;) {
    const answer = await createOnce(session, noun, document, key).catch(refusal);
    if (answer === 'refused') return { object: await create(session, noun, document), verb: 'created' };
    if (answer === 'running') await sleep(waits.createRetry_ms, signal);
    else if (!answer.isRepetition) return { object: answer.object, verb: 'created' };
    else {
      const there = await read(session, noun, answer.object.metadata.id).catch(absent);
      if (there && nameOf(noun, there.object) === nameOf(noun, answer.object))
        return { object: there.object, verb: 'unchanged' };
      // The resource of this key was deleted or renamed. All concurrent runs find that, and continue with the same next
      // key.
      key = digestOf(key, answer.object.metadata.id);
    }
  }
}

/**
 * A service also stores refusals under a key, and the cause may no longer exist. A refusal counts only if it is the
 * response to this request.
 */
function refusal(error: unknown): 'running' | 'refused' {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  return error.status === 409 && error.message.includes('Idempotency-Key') ? 'running' : 'refused';
}

function digestOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function absent(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  if (error instanceof Failure && error.ending === 'notFound') return undefined;
  throw error;
}
