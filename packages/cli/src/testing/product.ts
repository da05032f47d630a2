import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { connect } from '@unikorn/sdk';

import { run } from '../index.ts';
import { clock, type Terminal } from '../terminal.ts';

/** The content of `credentials.json` of a server. */
export interface Credentials {
  readonly endpoints: { readonly identity: string; readonly region: string; readonly compute: string };
  readonly token: string;
  readonly adminToken: string;
  readonly administrator: { readonly email: string; readonly password: string };
  readonly organizationId: string;
  readonly projectId: string;
  readonly secondaryProjectId: string;
  readonly regionId: string;
  readonly secondaryRegionId: string;
  readonly networkId: string;
  readonly flavorId: string;
  readonly imageId: string;
}

export interface Product extends AsyncDisposable {
  readonly credentials: Credentials;
  /** The state folder, which contains credentials.json. */
  readonly state: string;
  readonly url: string;
}

/** The file that `npx unikorn` runs. */
export const executable = fileURLToPath(new URL('../../../unikorn/src/main.ts', import.meta.url));

/** The real product with demo data, on its own port. One per test file, because a start takes seconds. */
export async function startProduct(...flags: readonly string[]): Promise<Product> {
  const state = await mkdtemp(join(tmpdir(), 'unikorn-cli-'));
  const server = spawn(
    process.execPath,
    [executable, 'serve', '--port', '0', '--state', state, '--log-level', 'error', ...flags],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) =>
    server.once('exit', () => {
      resolve();
    }),
  );
  const credentials = await readCredentials(join(state, 'credentials.json'), () => server.exitCode !== null);
  return {
    credentials,
    state,
    url: new URL(credentials.endpoints.identity).origin,
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await ended;
      await rm(state, { recursive: true, force: true });
    },
  };
}

async function readCredentials(path: string, ended: () => boolean): Promise<Credentials> {
  while (true) {
    if (ended()) throw new Error('the product did not start');
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as Credentials;
    await sleep(50);
  }
}

/** Makes the simulated clouds faster than real ones. */
export async function hurry(
  { credentials: { endpoints, adminToken, regionId, secondaryRegionId } }: Product,
  times: Readonly<Record<string, number>>,
): Promise<void> {
  const { region } = connect({ endpoints, token: adminToken });
  for (const regionID of [regionId, secondaryRegionId])
    await region.untyped.send('PUT', '/api/v2/regions/{regionID}/simulation', {
      params: { path: { regionID } },
      body: times,
    });
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface FakeTerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is an interactive terminal. */
  readonly interactive?: boolean;
  /** The text for standard input, at once or as it is typed. */
  readonly input?: string | AsyncIterable<string>;
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  readonly configDirectory?: string;
  readonly hasBrowser?: boolean;
  readonly openBrowser?: (url: string) => Promise<void>;
  readonly runProgram?: Terminal['runProgram'];
  /** The width of an interactive terminal. */
  readonly columns?: number;
}

export interface FakeTerminal extends Terminal {
  /** The output so far. */
  written(): Pick<Ran, 'stdout' | 'stderr'>;
}

/** A terminal that records its output. */
export function fakeTerminal({
  env = {},
  interactive = false,
  input = '',
  signal = new AbortController().signal,
  cwd = tmpdir(),
  configDirectory = join(tmpdir(), 'unikorn-no-such-directory'),
  hasBrowser = true,
  openBrowser = () => Promise.resolve(),
  runProgram = () => Promise.resolve(0),
  columns = 120,
}: FakeTerminalOptions = {}): FakeTerminal {
  const captured = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    Object.assign(
      new PassThrough().on('data', (chunk: Buffer) => {
        captured[name] += chunk.toString();
      }),
      { isTTY: interactive, columns, rows: 50 },
    );
  const stdin = Object.assign(new PassThrough(), { isTTY: interactive });
  if (typeof input === 'string') stdin.end(input);
  else Readable.from(input).pipe(stdin);
  return {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    stdin,
    env: { NO_COLOR: '1', ...env },
    cwd,
    configDirectory,
    ...clock,
    hasBrowser,
    openBrowser,
    runProgram,
    signal,
    written: () => ({ ...captured }),
  };
}

/** Runs a command in this process against a product, without an interactive terminal. */
export async function cli(product: Product, ...args: readonly string[]): Promise<Ran> {
  return cliOn(fakeTerminal({ env: environmentOf(product) }), ...args);
}

/** The environment in which commands use a product. */
export function environmentOf({ state }: Product): Readonly<Record<string, string>> {
  return { UNIKORN_STATE: state };
}

export async function cliOn(terminal: FakeTerminal, ...args: readonly string[]): Promise<Ran> {
  const code = await run(args, terminal);
  // A stream passes its data on in a later turn of the event loop.
  await sleep(0);
  return { code, ...terminal.written() };
}
