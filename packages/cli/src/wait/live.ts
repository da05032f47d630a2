import { waits } from '../limits.ts';
import { coloursFor, paintStatus } from '../output/colours.ts';
import { durationText } from '../output/duration.ts';
import { shortened, widthOf } from '../output/table.ts';
import { displayWidth } from '../output/width.ts';
import type { Terminal } from '../terminal.ts';

/** The current state of the resource that the command waits for. */
export interface Waited {
  /** Such as `network web`. */
  readonly subject: string;
  readonly state: string;
  /** The reason why it is not ready, if known. */
  readonly reason: string;
}

/** Shows on standard error what the command waits for: redrawn on a terminal, otherwise one line per change. */
export interface LiveView {
  show(waited: Waited): void;
  stop(): Promise<void>;
}

export async function liveView(terminal: Terminal): Promise<LiveView> {
  return terminal.stderr.isTTY ? redrawn(terminal) : written(terminal);
}

function written({ stderr }: Terminal): LiveView {
  const last = new Map<string, Waited>();
  return {
    show: (waited) => {
      const { subject, state, reason } = waited;
      const before = last.get(subject);
      last.set(subject, waited);
      if (before?.state === state && before.reason === reason) return;
      const news = newsIn(reason, before?.reason ?? '');
      stderr.write(`${subject}: ${state}${news === '' ? '' : `, ${news}`}\n`);
    },
    stop: () => Promise.resolve(),
  };
}

/** The new part of a reason, without the beginning that it shares with the previous one. */
export function newsIn(reason: string, before: string): string {
  const [, cause, rest] = /^(.+?)[;:] (.+)$/s.exec(reason) ?? [];
  return cause !== undefined &&
    rest !== undefined &&
    [`${cause};`, `${cause}:`].some((beginning) => before.startsWith(beginning))
    ? rest
    : reason;
}

/** A reason that ends with the line. */
function fitted(reason: string, used: number, width: number | undefined): string {
  if (width === undefined || used + displayWidth(reason) <= width) return reason;
  return used + 1 >= width ? '' : shortened(reason, width - used);
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
async function redrawn(terminal: Terminal): Promise<LiveView> {
  const { createLogUpdate } = await import('log-update');
  const log = createLogUpdate(terminal.stderr);
  const colours = coloursFor(terminal.stderr, terminal.env);
  const started_ms = terminal.now().getTime();
  const waited = new Map<string, Waited>();
  const stopping = new AbortController();
  const draw = (frame: number) => {
    const elapsed = colours.dim(durationText(terminal.now().getTime() - started_ms));
    const lines = [...waited.values()].map(({ subject, state, reason }) => {
      const head = `${colours.cyan(frames[frame % frames.length] ?? '')} ${subject} ${paintStatus(colours, state)} ${elapsed}`;
      return reason === '' ? head : `${head} ${fitted(reason, displayWidth(head) + 1, widthOf(terminal.stderr))}`;
    });
    log(lines.join('\n'));
  };
  const drawing = (async () => {
    for (let frame = 0; !stopping.signal.aborted; frame += 1) {
      draw(frame);
      await terminal.sleep(waits.frame_ms, stopping.signal).catch(() => undefined);
    }
    log.clear();
    log.done();
  })();
  return {
    show: (object) => waited.set(object.subject, object),
    stop: () => {
      stopping.abort();
      return drawing;
    },
  };
}
