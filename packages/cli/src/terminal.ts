import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

import { exitCodes } from './exit-codes.ts';
import { waits } from './limits.ts';

/** Where text goes. What a stream says of itself decides about colours and redrawing. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** Everything of the process that commands touch, so that a test can run one and see all that it does. */
export interface Terminal {
  /** For data, which others may read: resources, and nothing else. */
  readonly stdout: Output;
  /** For people: progress, questions, hints, errors. */
  readonly stderr: Output;
  readonly stdin: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where contexts are kept. */
  readonly configDirectory: string;
  readonly now: () => Date;
  /** Rejects with the signal's reason when that aborts first. */
  readonly sleep: (duration_ms: number, signal?: AbortSignal) => Promise<void>;
  /** Whether people at this terminal see a browser that is opened here. */
  readonly hasBrowser: boolean;
  readonly openBrowser: (url: string) => Promise<void>;
  /** Aborts with an `Interrupted` when the person presses Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Somebody pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  override readonly message = 'interrupted';
}

/** The terminal of this process. Ctrl-C ends it within a moment, a second one at once. */
export function processTerminal(): Terminal {
  const interruption = new AbortController();
  // The listener stays: what restores the cursor would end the process if it were the only one left.
  process.on('SIGINT', () => {
    const leave = () => process.exit(exitCodes.interrupted.code);
    if (interruption.signal.aborted) leave();
    interruption.abort(new Interrupted());
    // Commands that wait end by themselves; those that only ask may hang on a request that nobody answers.
    setTimeout(leave, waits.interrupt_ms).unref();
  });
  // Whoever reads our output may have seen enough of it, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: the output could not be written: ${error.message}\n`);
    process.exit(exitCodes.unexpected.code);
  });
  return terminalOf(interruption.signal);
}

/** The same for somebody who sees to interruptions in a way of their own. */
export function terminalOf(signal: AbortSignal): Terminal {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
    // An empty HOME would be this folder.
    configDirectory: configDirectoryOf(process.env, homedir() || userInfo().homedir, process.platform),
    ...clock,
    hasBrowser: showsBrowser(process.env, process.platform),
    openBrowser: async (url) => {
      const { default: open } = await import('open');
      await open(url);
    },
    signal,
  };
}

/** The real time. */
export const clock: Pick<Terminal, 'now' | 'sleep'> = { now: () => new Date(), sleep };

/** Over SSH a browser would open on another machine, if at all; without a display there is none. */
export function showsBrowser(env: Terminal['env'], platform: NodeJS.Platform): boolean {
  if (platform === 'win32' || platform === 'darwin') return !env['SSH_CONNECTION'];
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name]));
}

/** Where programs of this platform keep what a person configured. */
export function configDirectoryOf(env: Terminal['env'], home: string, platform: NodeJS.Platform): string {
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'unikorn');
  if (platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'unikorn');
  return join(home, '.config', 'unikorn');
}

function sleep(duration_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Interrupted());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, duration_ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
