import { spawn } from 'node:child_process';

/** The shell blocks of a Markdown text, in their order: the commands to type. */
export function shellBlocks(text: string): readonly string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.trim());
}

/** A shell block of a guide, and how a test types it. The mark is a comment before the block. */
export interface GuideBlock {
  readonly text: string;
  /** Why no test types it: `<!-- not typed: it needs systemd -->`. Below the title, it is valid for the whole guide. */
  readonly notTyped?: string;
  /** It does not end by itself, and is ready when it shows this: `<!-- typed until it shows: is ready -->`. */
  readonly until?: string;
}

export function guideBlocks(guide: string): readonly GuideBlock[] {
  const [, whole] = /^# .*\n\n<!-- not typed: (.*) -->/.exec(guide) ?? [];
  const marked = /(?:^<!-- (not typed|typed until it shows): (.*) -->\n\n)?^```sh\n([^]*?)^```$/gm;
  return [...guide.matchAll(marked)].map(([, mark, said = '', block = '']) => ({
    text: block.trim(),
    ...(whole === undefined ? {} : { notTyped: whole }),
    ...(mark === 'not typed' ? { notTyped: said } : {}),
    ...(mark === 'typed until it shows' ? { until: said } : {}),
  }));
}

/** A shell in which blocks of commands are typed one after the other. Variables stay, as in a terminal. */
export class Terminal {
  readonly #child;
  #output = '';
  #hasEnded = false;
  #listeners: (() => void)[] = [];

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    // The shell and its programs are one group, so that Ctrl-C reaches all of them.
    this.#child = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env: environment, stdio: 'pipe', detached: true });
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
  async shows(wanted: RegExp | string): Promise<string> {
    for (;;) {
      const found = typeof wanted === 'string' ? wanted : wanted.exec(this.#output)?.[0];
      if (found !== undefined && this.#output.includes(found)) return found;
      if (this.#hasEnded) throw new Error(`the shell ended:\n${this.#output}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  close(): void {
    this.#child.stdin.end();
  }

  /** Ctrl-C, for a block that does not end by itself. */
  async interrupt(): Promise<void> {
    const { pid } = this.#child;
    this.close();
    if (pid !== undefined && !this.#hasEnded) process.kill(-pid, 'SIGINT');
    await this.#end();
  }

  async #end(): Promise<void> {
    while (!this.#hasEnded) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }

  #wake(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
