import { spawn } from 'node:child_process';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../packages/unikorn/src/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the executable in its own process, as a user runs it in a terminal. */
export class Sitting {
  readonly #child;
  #stdout = '';
  #stderr = '';
  #waiting: (() => void)[] = [];
  readonly ended: Promise<Ended>;

  constructor(args: readonly string[], environment: Readonly<Record<string, string>>) {
    // The browser of this machine is not opened, because the test has its own.
    this.#child = spawn(process.execPath, [main, ...args], {
      env: { PATH: process.env['PATH'], BROWSER: 'true', ...environment },
    });
    this.#child.stdout.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
        this.#wake();
      });
    });
  }

  /** Waits until the output for the user matches the pattern, and returns the match. */
  async told(pattern: RegExp): Promise<string> {
    for (;;) {
      const [found] = pattern.exec(this.#stderr) ?? [];
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null) throw new Error(`it ended first: ${this.#stderr}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  type(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
