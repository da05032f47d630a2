import { Failure } from '../failure.ts';
import { durationText } from '../output/duration.ts';
import type { Terminal } from '../terminal.ts';
import { liveView, type LiveView } from './live.ts';

export interface WaitingOptions {
  readonly timeout_ms: number;
  /** How to go on watching, for those who stop before it is done, such as `unikorn network watch web`. */
  readonly onward: string;
}

/** Does something that takes a while under a live view, until it is done, it takes too long, or the person has seen enough. */
export async function waiting<Result>(terminal: Terminal, { timeout_ms, onward }: WaitingOptions, work: (signal: AbortSignal, view: LiveView) => Promise<Result>): Promise<Result> {
  const limit = new AbortController();
  const finished = new AbortController();
  const late = new Failure('timedOut', `not done after ${durationText(timeout_ms)}; it goes on without this command`, `see how: ${onward}`);
  void terminal.sleep(timeout_ms, finished.signal).then(() => { limit.abort(late); }, () => undefined);
  const view = await liveView(terminal);
  try {
    return await work(AbortSignal.any([terminal.signal, limit.signal]), view);
  } catch (error) {
    if (terminal.signal.aborted) throw new Failure('interrupted', 'stopped waiting; it goes on without this command', `see how: ${onward}`);
    throw error;
  } finally {
    finished.abort();
    await view.stop();
  }
}
