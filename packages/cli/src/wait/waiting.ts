import type { OnInterruption } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { durationText } from '../output/duration.ts';
import type { Terminal } from '../terminal.ts';
import { liveView, type LiveView } from './live.ts';

export interface WaitingOptions {
  readonly timeout_ms: number;
  /** The command that shows the progress if the user stops waiting, such as `unikorn network watch web`. */
  readonly onward: string;
}

/** The display during a wait. */
export interface Progress extends LiveView {
  readonly onInterruption: OnInterruption;
}

/** Runs a long operation with a live view, until it is done, the timeout expires, or the user presses Ctrl-C. */
export async function waiting<Result>(
  terminal: Terminal,
  { timeout_ms, onward }: WaitingOptions,
  work: (signal: AbortSignal, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const finished = new AbortController();
  const late = new Failure(
    'timedOut',
    `not done after ${durationText(timeout_ms)}; it continues in the background`,
    `check it: ${onward}`,
  );
  void terminal.sleep(timeout_ms, finished.signal).then(
    () => {
      limit.abort(late);
    },
    () => undefined,
  );
  const view = await liveView(terminal);
  let trouble: Error | undefined;
  const onInterruption: OnInterruption = (error) => {
    trouble = error;
    view.show({
      subject: 'control plane',
      state: error ? 'unreachable' : 'reachable again',
      reason: error ? `${error.message}; trying again` : '',
    });
  };
  try {
    return await work(AbortSignal.any([terminal.signal, limit.signal]), { ...view, onInterruption });
  } catch (error) {
    if (error === late && trouble)
      throw new Failure(
        'unreachable',
        trouble.message,
        `the progress is unknown; when the control plane is back, check it: ${onward}`,
      );
    if (terminal.signal.aborted)
      throw new Failure('interrupted', 'stopped waiting; it continues in the background', `check it: ${onward}`);
    throw error;
  } finally {
    finished.abort();
    await view.stop();
  }
}
