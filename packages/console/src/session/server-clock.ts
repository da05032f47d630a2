import { waits } from '../limits.ts';
import { platform } from '../platform.ts';

/** When a request was sent and answered, by the clock of the browser, and the `Date` of its answer. */
export interface Dated {
  readonly sent_ms: number;
  readonly received_ms: number;
  readonly date: string | null;
}

/**
 * How far the clock of the server is ahead of the browser's, after another answer. The answer allows a range; the
 * offset stays as it is within that, so that countdowns do not jump with each answer.
 */
export function offsetAfter(offset_ms: number, { sent_ms, received_ms, date }: Dated): number {
  const date_ms = Date.parse(date ?? '');
  if (Number.isNaN(date_ms)) return offset_ms;
  return Math.min(Math.max(offset_ms, date_ms - received_ms), date_ms + waits.date_ms - sent_ms);
}

let ahead = 0;

/** The time of the server. The times of resources are by that clock, and the browser's may be wrong. */
export function serverNow(): number {
  return platform.now() + ahead;
}

/** A request whose answer corrects the time of the server. */
export async function datedFetch(request: string | Request, options: RequestInit): Promise<Response> {
  const sent_ms = platform.now();
  const response = await platform.fetch(request, options);
  const received_ms = platform.now();
  ahead = offsetAfter(ahead, { sent_ms, received_ms, date: response.headers.get('date') });
  return response;
}
