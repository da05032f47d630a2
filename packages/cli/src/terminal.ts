import { constants, homedir, userInfo } from 'node:os';
import { join } from 'node:path';

import { exitCodes } from './exit-codes.ts';
import type { KnownNames } from './known-names.ts';
import { waits } from './limits.ts';

/** An output stream. Its properties decide about colours and redrawing. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};
/** An input stream. `setRawMode` exists if it is a terminal: keys are then passed on one by one. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (mode: boolean) => unknown;
};

/** All effects of commands on the process. A test can replace them and observe everything. */
export interface Terminal {
  /** Standard output, for data that programs may read: only resources. */
  readonly stdout: Output;
  /** Standard error, for users: progress, questions, hints, errors. */
  readonly stderr: Output;
  readonly stdin: Input;
  /** Where questions and errors go even with --quiet; standard error by default. */
  readonly loud?: Output;
  /** Whether the command may ask the user; false with --no-input. */
  readonly asks?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder of contexts. */
  readonly configDirectory: string;
  readonly now: () => Date;
  /** Rejects with the reason of the signal if that aborts first. */
  readonly sleep: (duration_ms: number, signal?: AbortSignal) => Promise<void>;
  /** Whether the user can see a browser that is opened on this machine. */
  readonly hasBrowser: boolean;
  readonly openBrowser: (url: string) => Promise<void>;
  /** Runs another program in this terminal until it ends, and returns its exit code. */
  readonly runProgram: (program: string, args: readonly string[]) => Promise<number>;
  /** Aborts with an `Interrupted` when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** What the command has learned about names so far, for its messages. */
  readonly known?: KnownNames;
}

/** The user pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  override readonly message = 'interrupted';
}

/**
 * The terminal of this process. The first Ctrl-C ends the command within a moment, the second one immediately.
 *
 * @example process.exitCode = await run(process.argv.slice(2), processTerminal());
 */
export function processTerminal(): Terminal {
  const interruption = new AbortController();
  // The listener stays. The handler that restores the cursor would end the process if it were the only listener.
  process.on('SIGINT', () => {
    const leave = () => process.exit(exitCodes.interrupted.code);
    if (interruption.signal.aborted) leave();
    interruption.abort(new Interrupted());
    // Commands that wait end on their own. Others may hang in a request without a response.
    setTimeout(leave, waits.interrupt_ms).unref();
  });
  // The reader of our output may close it early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: the output could not be written: ${error.message}\n`);
    process.exit(exitCodes.unexpected.code);
  });
  return terminalOf(interruption.signal);
}

/**
 * The same for callers that handle interruptions on their own.
 *
 * @example await run(['instance', 'list'], terminalOf(AbortSignal.timeout(10_000)));
 */
export function terminalOf(signal: AbortSignal): Terminal {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
    // An empty HOME would mean the current folder.
    configDirectory: configDirectoryOf(process.env, homedir() || userInfo().homedir, process.platform),
    ...clock,
    hasBrowser: showsBrowser(process.env, process.platform),
    openBrowser: async (url) => {
      const { default: open } = await import('open');
      await open(url);
    },
    runProgram,
    signal,
  };
}

/**
 * The program gets the keys of the user, Ctrl-C too. A signal that ends this process is passed on first, so that the
 * caller can clean up after the program.
 */
export async function runProgram(program: string, args: readonly string[]): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program, args, { stdio: 'inherit' });
  const signals = ['SIGTERM', 'SIGHUP'] as const;
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      });
    });
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}

/** The real time. */
export const clock: Pick<Terminal, 'now' | 'sleep'> = { now: () => new Date(), sleep };

/** Over SSH, a browser would open on the other machine, if at all. Without a display there is no browser. */
export function showsBrowser(env: Terminal['env'], platform: NodeJS.Platform): boolean {
  if (platform === 'win32' || platform === 'darwin') return !env['SSH_CONNECTION'];
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name]));
}

/** The folder for user configuration on this platform. */
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
