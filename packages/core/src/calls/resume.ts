import { backoff_ms } from '../backoff.ts';
import { defined } from '../defined.ts';
import { isProblem, toError } from '../errors/index.ts';
import type { ServerEvent } from '../http/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';
import type { CallEvent, WatchOptions } from './calls.ts';
import { fieldsOf } from './refusal.ts';

export interface ResumeContext {
  readonly world: World;
  readonly telemetry: Pick<Telemetry, 'log'>;
  /** The watched objects in words, for the log. */
  readonly what: string;
}

/** Opens a stream. It continues after the position, if an earlier stream had one. */
export type OpenStream = (position: string | undefined) => Promise<AsyncIterable<ServerEvent>>;

/**
 * The events of a stream that is opened again whenever it ends, and continues at the last position. It ends when the
 * signal aborts.
 */
export async function* resumed(
  open: OpenStream,
  { signal, from }: WatchOptions,
  { world, telemetry, what }: ResumeContext,
): AsyncGenerator<CallEvent> {
  let position = from;
  let told = false;
  let failures = 0;
  const isOver = () => signal.aborted;
  while (!isOver()) {
    // The stream broke in the middle of the first list, before there was a position: the list starts again.
    if (told && position === undefined) yield { type: 'restart' };
    try {
      for await (const event of await open(position)) {
        failures = 0;
        position = event.event === 'reset' ? undefined : (event.id ?? position);
        told = event.event !== 'reset';
        yield callEventOf(event);
      }
    } catch (error) {
      if (isOver()) return;
      if (isRefusal(error)) throw error;
      telemetry.log.warn({ err: toError(error), what }, 'a watch of another service ended and is opened again');
    }
    await world.sleep(backoff_ms(failures++, world.random()), signal);
  }
}

/** Refusals are permanent. Failures and rate limits are temporary. */
function isRefusal(error: unknown): boolean {
  return isProblem(error) && error.status < 500 && error.status !== 429;
}

function callEventOf({ event, id, data }: ServerEvent): CallEvent {
  const at = defined({ position: id });
  switch (event) {
    case 'added':
    case 'modified':
      return { type: event, body: data, ...at };
    case 'deleted':
      return { type: event, id: idOf(data), ...at };
    case 'synced':
    case 'bookmark':
      return { type: event, ...at };
    case 'reset':
      return { type: 'restart' };
  }
}

/** The id of an object in a response. */
export function idOf(body: unknown): string {
  const { id } = fieldsOf(fieldsOf(body)['metadata']);
  if (typeof id !== 'string') throw new Error('an object in a response has no identifier');
  return id;
}
