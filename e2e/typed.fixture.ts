import { spawn } from 'node:child_process';

/** The shell blocks of a Markdown text, in their order: the commands to type. */
export function shellBlocks(text: string): readonly string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.trim());
}

/** A shell in which blocks of commands are typed one after the other. Variables stay, as in a terminal. */
export class Terminal {
  readonly #child;
  #output = '';
  #hasEnded = false;
  #listeners: (() => void)[] = [];

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.#child = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env: environment, stdio: 'pipe' });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
        this.#wake();
      });
    this.#child.on('close', () => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /** Returns the output. A command that fails is an error, and ends the shell. */
  async type(block: string): Promise<string> {
    const end = '-- the block has ended --';
    this.#output = '';
    // No command may read the blocks that follow.
    this.#child.stdin.write(`{\n${block}\n} </dev/null 2>&1; echo '${end}'\n`);
    while (!this.#output.includes(end)) {
      if (this.#hasEnded) throw new Error(`a command failed:\n${this.#output}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
    return this.#output.replace(`${end}\n`, '');
  }

  /** Waits until the running block shows this, and returns it. */
  async shows(pattern: RegExp): Promise<string> {
    for (;;) {
      const [found] = pattern.exec(this.#output) ?? [];
      if (found !== undefined) return found;
      if (this.#hasEnded) throw new Error(`the shell ended:\n${this.#output}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  close(): void {
    this.#child.stdin.end();
  }

  #wake(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
