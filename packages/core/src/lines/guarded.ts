import { Problem, toError } from '../errors/index.ts';
import { waits } from '../limits.ts';
import type { World } from '../world/index.ts';
import type { Line } from './line.ts';

export interface LineGuard {
  readonly world: World;
  /** Throws when the caller may no longer use the line. */
  readonly check: () => Promise<void>;
  /** Is called once, when the line has ended. */
  readonly ended: () => void;
}

/**
 * A line that ends when its caller may no longer use it, or when nothing was sent in either direction for a long time.
 */
export function guardedLine(line: Line, { world, check, ended }: LineGuard): Line {
  let reason: Error | undefined;
  let active_ms = world.monotonic_ms();
  const over = new AbortController();
  const end = () => {
    if (over.signal.aborted) return;
    over.abort();
    line.close();
    ended();
  };
  const fail = (error: unknown) => {
    reason ??= toError(error);
    end();
  };
  const watch = async () => {
    while (true) {
      await world.sleep(waits.reauthorization_ms, over.signal);
      if (over.signal.aborted) return;
      if (world.monotonic_ms() - active_ms >= waits.lineIdle_ms) throw idle();
      await check();
    }
  };
  watch().catch(fail);
  const used = () => {
    active_ms = world.monotonic_ms();
  };
  return {
    pieces: piecesOf(line, used, end, () => reason),
    send: async (piece) => {
      if (over.signal.aborted) return;
      used();
      await line.send(piece);
    },
    close: end,
  };
}

async function* piecesOf(
  { pieces }: Line,
  used: () => void,
  end: () => void,
  reason: () => Error | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of pieces) {
      used();
      yield piece;
    }
  } finally {
    end();
  }
  const given = reason();
  if (given) throw given;
}

function idle(): Problem {
  return new Problem(
    'conflict',
    `nothing was typed or shown for ${waits.lineIdle_ms / 60_000} minutes, so the terminal was closed`,
  );
}
