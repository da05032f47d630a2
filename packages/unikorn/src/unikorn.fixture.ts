import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Credentials } from './serve/credentials.ts';

const main = join(import.meta.dirname, 'main.ts');
/** Shared by all processes that tests start, and with `npm start`: a start then takes half the time. */
const compiled = join(import.meta.dirname, '../../../node_modules/.compiled');

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The real executable, in its own process. */
export class Unikorn {
  readonly #child: ChildProcess;
  #output = '';
  #errors = '';
  #waiting: (() => void)[] = [];
  readonly ended: Promise<Ended>;

  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}, folder = process.cwd()) {
    this.#child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      // A program that starts the fixture may itself have been told its parent, which is not the parent of the server.
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, UNIKORN_PARENT: undefined, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        resolve({ code, output: this.#output, errors: this.#errors });
        for (const wake of this.#waiting.splice(0)) wake();
      });
    });
  }

  /** The address that it prints when it is ready. */
  async ready(): Promise<string> {
    for (;;) {
      const address = /is ready at (\S+)/.exec(this.#output)?.[1];
      if (address !== undefined) return address;
      if (this.#child.exitCode !== null) throw new Error(`it ended before it was ready: ${this.#errors}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The credentials file that the server wrote, after it is ready. */
  credentials(): Credentials {
    const file = /Credentials\s+(\S+)/.exec(this.#output)?.[1] ?? '';
    return JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'unikorn-test-'));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
