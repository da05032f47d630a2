import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../packages/unikorn/src/main.ts');

export interface Ready {
  readonly base: string;
  readonly seconds: number;
  readonly pid: number;
  /** Resolves when the process has ended, by itself or because it was stopped. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the executable with the same flags and the same compile cache as this process. */
export async function startExecutable(folder: string, state: string, args: readonly string[] = []): Promise<Ready> {
  // It ends with this process, and not with the parent of this one.
  const env = {
    ...process.env,
    UNIKORN_PARENT: String(process.pid),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
  };
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      main,
      'serve',
      '--port',
      '0',
      '--state',
      join(folder, state),
      '--log-level',
      'silent',
      ...args,
    ],
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const base = await announced(child);
  return {
    base,
    seconds: (performance.now() - begun) / 1000,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function announced({ stdout }: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of stdout ?? []) {
    output += String(chunk);
    const base = /is ready at (\S+)/.exec(output)?.[1];
    if (base !== undefined) return base;
  }
  throw new Error(`it ended before it was ready: ${output}`);
}
