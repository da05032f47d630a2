import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { isCurrent } from '../build/source-hash.ts';

/** Whether the pages can be shown. */
export type Progress =
  | { readonly state: 'ready' }
  | { readonly state: 'preparing'; readonly step: string }
  | { readonly state: 'failed'; readonly failure: string };

const program = join(import.meta.dirname, '../build/main.ts');

/** The longest part of the output of a failed build that is shown. */
const shown = 2_000;

/**
 * Makes the pages ready. In a checkout they are built at the first start, by a process of low priority, while the
 * server already answers. An installed package contains them.
 */
export class Preparation {
  #progress: Progress = { state: 'preparing', step: 'starting' };
  #checked: Promise<void> | undefined;
  #child: ChildProcess | undefined;
  readonly #say: (text: string) => void;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Starts the build if the pages are missing or old. Resolves when that is known, not when the build is done. */
  start(signal: AbortSignal): Promise<void> {
    this.#checked ??= this.#begin(signal);
    return this.#checked;
  }

  async #begin(signal: AbortSignal): Promise<void> {
    if (await isCurrent()) {
      this.#progress = { state: 'ready' };
      return;
    }
    if (signal.aborted) return;
    this.#say('The console is being prepared; this happens once.');
    let output = '';
    const child = (this.#child = fork(program, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = `${output}${chunk.toString()}`.slice(-shown);
      });
    child.on('message', (step) => {
      if (typeof step === 'string') this.#progress = { state: 'preparing', step };
    });
    child.on('error', ({ message }) => {
      this.#end(message);
    });
    child.on('close', (code) => {
      this.#end(code === 0 || signal.aborted ? undefined : output.trim() || `the build ended with exit code ${code}`);
    });
    signal.addEventListener('abort', () => child.kill(), { once: true });
  }

  #end(failure: string | undefined): void {
    if (this.#child === undefined) return;
    this.#child = undefined;
    this.#progress = failure === undefined ? { state: 'ready' } : { state: 'failed', failure };
    this.#say(failure === undefined ? 'The console is ready.' : `The console could not be prepared: ${failure}`);
  }
}
