import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { freePort } from '../free-port.fixture.ts';
import { shellBlocks } from '../typed.fixture.ts';
import { freshCheckout } from './checkout.fixture.ts';

const checkout = freshCheckout();
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: join(checkout.path, '.home'),
  UNIKORN_PORT: String(await freePort('127.0.0.1')),
};

/** The tour is a section of the README. Its shell blocks, in their order, are the commands to type. */
const section = /^## Five minutes\n(.*?)^## /ms.exec(readFileSync(join(checkout.path, 'README.md'), 'utf8'))?.[1] ?? '';
const blocks = shellBlocks(section);

/** A shell that runs a block of the tour. */
class Shell {
  output = '';
  readonly ended: Promise<number | null>;
  readonly #child;
  #listeners: (() => void)[] = [];

  constructor(block: string) {
    this.#child = spawn('bash', ['-euo', 'pipefail', '-c', block], {
      cwd: checkout.path,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
        for (const listener of this.#listeners.splice(0)) listener();
      });
    }
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        resolve(code);
        for (const listener of this.#listeners.splice(0)) listener();
      });
    });
  }

  async shows(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (this.#child.exitCode !== null) throw new Error(`it ended first:\n${this.output}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.ended;
  }
}

/** The first terminal, where the server runs. */
let server: Shell | undefined;
const shown = new Map<string, string>();

async function type(block: string): Promise<void> {
  if (block === 'npm start') {
    await server?.ended;
    server = new Shell(block);
    await server.shows('is ready at');
    return;
  }
  const shell = new Shell(block);
  const code = await shell.ended;
  shown.set(block, shell.output);
  expect(code, shell.output).toBe(0);
}

/** The output of the block with this command. */
function answerTo(command: string): string {
  const [block] = blocks.filter((each) => each.includes(command));
  expect(block, `the tour has no block with: ${command}`).toBeDefined();
  return shown.get(block ?? '') ?? '';
}

afterAll(async () => {
  await server?.stop();
  checkout.remove();
});

describe('the tour of the README, typed as it is written', () => {
  it('has commands to type', () => {
    expect(blocks.length).toBeGreaterThan(5);
  });

  it.each(blocks.map((block, index) => [index + 1, block] as const))('%i: %s', async (_, block) => {
    await type(block);
  });
});

describe('the tour shows the promised results', () => {
  it('the demo has instances in two projects', () => {
    const list = answerTo('instance list --all-projects');
    expect(list).toMatch(/^web-1 .* website /m);
    expect(list).toMatch(/^trainer .* research /m);
  });

  it('an instance is created and waited for', () => {
    expect(answerTo('instance create mine')).toMatch(/^mine +provisioned +Running/m);
  });

  it('explain shows why an instance cannot become ready', () => {
    expect(answerTo('instance explain trainer')).toContain('the cloud has no capacity for another sim-gpu-8');
  });

  it('a plan shows what would be lost, and changes nothing', () => {
    expect(answerTo('instance plan mine')).toContain('lost permanently: the root disk');
    expect(answerTo('instance update mine')).toMatch(/debian-13-amd64 +ubuntu-24.04-amd64 +rebuild/);
  });

  it('a confirmed update is carried out', () => {
    expect(answerTo('instance update mine')).toMatch(/^mine +provisioned .*ubuntu-24.04-amd64/m);
  });

  it('files of resources are applied, and applying them again changes nothing', () => {
    expect(answerTo('apply -f examples/stack')).toMatch(
      /loadbalancer\/shop created[\s\S]*loadbalancer\/shop unchanged/,
    );
  });

  it('a request that was accepted before kill -9 is completed after the next start', () => {
    expect(answerTo('kill -9')).toContain('instance late created');
    expect(answerTo('instance watch late')).toMatch(/late provisioned/);
    expect(answerTo('instance history late')).toMatch(/create +accepted[\s\S]*provisioning .*Provisioned/);
  });

  it('everything that it created is deleted in the end', () => {
    expect(answerTo('delete -f examples/stack')).toContain('network/shop deleted');
  });
});
