import type { Line } from '@unikorn/core/lines';
import { isProblem } from '@unikorn/core/errors';
import { timestamp, type World } from '@unikorn/core/world';
import type { Store } from '@unikorn/core/store';

import { ProviderFailure } from '../../provider/index.ts';
import { consoleLines } from './console.ts';
import { SimulatedObject } from './kinds.ts';
import { limits, waits } from './limits.ts';
import type { Records } from './records.ts';
import { conditionOf, type ServerBody } from './server-state.ts';
import { loggedOut, loginPrompt, typed } from './shell.ts';

type Terminal = NonNullable<ServerBody['terminal']>;

/** The terminal of the present boot. A boot begins with an empty one. */
export function terminalOf({ terminal, bootedAt }: ServerBody): Terminal {
  return terminal?.bootedAt === bootedAt ? terminal : { bootedAt, shell: loggedOut, text: '', written: 0 };
}

/** The server after some input at its console. Before its login prompt, the input is lost. */
export function afterInput(body: ServerBody, input: string, now: number): ServerBody {
  const up_s = (now - body.bootedAt) / 1000;
  if (conditionOf(body, now).power !== 'running' || up_s < waits.login_s) return body;
  const { wanted, imageId, privateIP, macAddress, bootedAt } = body;
  const terminal = terminalOf(body);
  const { shell, shown } = typed(terminal.shell, input, {
    name: wanted.name,
    imageId,
    privateIP,
    macAddress,
    up_s,
    now: timestamp(now),
    log: consoleLines(body, waits.login_s * 1000 - 1),
  });
  return {
    ...body,
    terminal: {
      bootedAt,
      shell,
      text: (terminal.text + shown).slice(-limits.terminalLength),
      written: terminal.written + shown.length,
    },
  };
}

/** The part of the output that a terminal has shown. */
interface Shown {
  readonly bootedAt: number;
  readonly lines: number;
  readonly isPrompted: boolean;
  readonly written: number;
}

/** The output since then, and the new position. */
export function outputSince(
  shown: Shown | undefined,
  body: ServerBody,
  now: number,
): { readonly text: string; readonly shown: Shown } {
  const { bootedAt } = body;
  const isSameBoot = shown?.bootedAt === bootedAt;
  const before = isSameBoot ? shown : { bootedAt, lines: 0, isPrompted: false, written: 0 };
  const { text, written } = terminalOf(body);
  let output = shown && !isSameBoot ? '\r\n' : '';
  let { lines, isPrompted } = before;
  if (!isPrompted) {
    const all = consoleLines(body, now - bootedAt);
    const prompt = loginPrompt(body.wanted);
    isPrompted = all.at(-1) === prompt;
    const messages = isPrompted ? all.slice(0, -1) : all;
    output += messages
      .slice(lines)
      .map((message) => `${message}\r\n`)
      .join('');
    lines = messages.length;
    if (isPrompted) output += prompt;
  }
  const fresh = Math.min(written - before.written, text.length);
  if (isPrompted && fresh > 0) output += text.slice(text.length - fresh);
  return { text: output, shown: { bootedAt, lines, isPrompted, written: isPrompted ? written : before.written } };
}

export interface TerminalOptions {
  readonly store: Store;
  readonly world: World;
  readonly records: Pick<Records<ServerBody>, 'named' | 'change'>;
  /** The name of the record of the server. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/**
 * A terminal of a server. Its whole state is in the record of the server, so all terminals of a server show the same,
 * in every process and after a restart.
 */
export function openTerminal({ store, world, records, name, signal }: TerminalOptions): Line {
  const over = new AbortController();
  const close = () => {
    signal.removeEventListener('abort', close);
    over.abort();
  };
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const decoder = new TextDecoder();
  return {
    pieces: piecesOf({ store, world, records, name, signal: over.signal }),
    send: async (piece) => {
      if (over.signal.aborted) return;
      const input = decoder.decode(piece, { stream: true });
      await records.change(name, (body) => afterInput(body, input, world.now()));
    },
    close,
  };
}

async function* piecesOf(options: TerminalOptions): AsyncGenerator<Uint8Array> {
  const { world, records, name, signal } = options;
  const changes = new Changes(options);
  let shown: Shown | undefined;
  while (!signal.aborted) {
    changes.forget();
    const stored = await records.named(name);
    if (!stored || stored.goneAt !== undefined) throw new ProviderFailure('conflict', 'the machine was deleted');
    if (conditionOf(stored.body, world.now()).power !== 'running')
      throw new ProviderFailure('conflict', 'the machine has stopped: start it, and open the terminal again');
    const next = outputSince(shown, stored.body, world.now());
    shown = next.shown;
    if (next.text !== '') yield Buffer.from(next.text);
    await changes.within(waits.terminalTick_ms);
  }
}

/** Notices changes of the record of a server. */
class Changes {
  readonly #options: TerminalOptions;
  #isChanged = false;
  #wake = () => {};

  constructor(options: TerminalOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => {
      this.#changed();
    });
    void this.#watch();
  }

  forget(): void {
    this.#isChanged = false;
  }

  /** Resolves after the next change, and at the latest after this time. */
  async within(wait_ms: number): Promise<void> {
    const { world, signal } = this.#options;
    if (this.#isChanged || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = world.after(wait_ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #changed(): void {
    this.#isChanged = true;
    this.#wake();
  }

  async #watch(): Promise<void> {
    const { store, name, signal, world } = this.#options;
    while (!signal.aborted) {
      try {
        const from = (await store.list(SimulatedObject, { limit: 1 })).resourceVersion;
        this.#changed();
        for await (const { type } of store.watch(SimulatedObject, { name, from, signal }))
          if (type !== 'bookmark') this.#changed();
      } catch (error) {
        // The reader looks regularly, too, so a broken watch only makes the echo slower for a moment.
        if (!isProblem(error)) throw error;
        await world.sleep(waits.terminalTick_ms, signal);
      }
    }
  }
}
