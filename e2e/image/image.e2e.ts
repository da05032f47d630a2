import { execFile } from 'node:child_process';
import { existsSync, globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../free-port.fixture.ts';
import { emptyFolder, removeFolder, runInSandbox, type Sandbox } from '../sandbox.fixture.ts';
import { shellBlocks, Terminal } from '../typed.fixture.ts';
import { commitBase, obstacle, storageIn } from './base.ts';

/*
 * Builds the image with the commands of docs/guides/kubernetes.md, and starts it as a container would be started. The
 * base is not pulled, but made from the packages of Debian and npm.
 */

const root = join(import.meta.dirname, '../..');
const reason = await obstacle();
if (reason !== undefined) console.log(`skipped: ${reason}`);
const [values = '', commands = ''] = shellBlocks(readFileSync(join(root, 'docs/guides/kubernetes.md'), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'unikorn-image-'));
const storage = reason === undefined ? await storageIn(folder) : [];
const base = 'localhost/unikorn-base';
const run = promisify(execFile);
/** The program itself, where the machine has it. */
const program = reason === undefined ? (await run('which', ['buildah'])).stdout.trim() : '';

async function buildah(...args: readonly string[]): Promise<string> {
  return (await run('buildah', [...storage, ...args], { maxBuffer: 2 ** 26 })).stdout.trim();
}

interface Inspected {
  readonly FromImageID: string;
  readonly OCIv1: {
    readonly config: {
      readonly User: string;
      readonly Env: readonly string[];
      readonly Entrypoint: readonly string[];
      readonly Cmd: readonly string[];
      readonly WorkingDir: string;
    };
  };
}

/** A `buildah` that needs no daemon and no container runtime, and takes the base from this machine. */
function terminalFor(tag: string): Terminal {
  const programs = mkdtempSync(join(folder, 'bin-'));
  const cache = join(homedir(), '.npm');
  mkdirSync(cache, { recursive: true });
  const options = storage.map((each) => `'${each}'`).join(' ');
  writeFileSync(
    join(programs, 'buildah'),
    [
      '#!/bin/sh',
      'verb=$1; shift',
      'case "$verb" in',
      `  build) exec ${program} ${options} build --no-cache --isolation chroot --build-arg BASE=${base} --volume '${cache}':/npm-cache --build-arg npm_config_cache=/npm-cache "$@" ;;`,
      // There is no registry here.
      `  push) exec ${program} ${options} push --quiet "$1" 'dir:${join(folder, `pushed-${tag}`)}' ;;`,
      'esac',
      '',
    ].join('\n'),
    { mode: 0o755 },
  );
  return new Terminal(root, { PATH: `${programs}:${process.env['PATH'] ?? ''}`, HOME: homedir() });
}

async function buildAs(tag: string): Promise<void> {
  const terminal = terminalFor(tag);
  await terminal.type(values.replace(/IMAGE=\S+/, 'IMAGE=localhost/unikorn').replace(/VERSION=\S+/, `VERSION=${tag}`));
  await terminal.type(commands);
  terminal.close();
}

let image: string;
let config: Inspected['OCIv1']['config'];

beforeAll(async () => {
  if (reason !== undefined) return;
  await commitBase(['buildah', ...storage], base);
  await buildAs('1');
  ({ config } = (JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/unikorn:1')) as Inspected).OCIv1);
  image = await buildah('mount', await buildah('from', 'localhost/unikorn:1'));
});

afterAll(async () => {
  if (reason === undefined) await buildah('umount', '--all');
  removeFolder(folder);
});

/** A container of the image, with a read-only file system and the volumes of the chart. */
function container(state: string, port: number): Omit<Sandbox, 'command'> {
  return {
    folder,
    mounts: [
      { source: image, target: '/' },
      { source: '/proc', target: '/proc' },
      { source: emptyFolder(folder), target: '/tmp', writable: true },
      { source: state, target: '/var/lib/unikorn', writable: true },
    ],
    workingDirectory: config.WorkingDir,
    environment: {
      ...Object.fromEntries(config.Env.map((pair) => pair.split('=') as [string, string])),
      UNIKORN_PORT: String(port),
      UNIKORN_PARENT: String(process.pid),
    },
  };
}

async function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });
}

function outputOf(sandbox: Sandbox): Promise<string> {
  const child = runInSandbox(sandbox);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.on('close', () => {
      resolve(output);
    });
  });
}

describe.skipIf(reason !== undefined)('the image', () => {
  it('serves with a read-only file system and no rights, and has its demo', async () => {
    const state = emptyFolder(folder);
    const port = await freePort('127.0.0.1');
    const server = runInSandbox({ ...container(state, port), command: [...config.Entrypoint, ...config.Cmd] });
    let output = '';
    const ended = new Promise<number | null>((resolve) => server.on('close', resolve));
    await new Promise<void>((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr])
        stream?.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          if (output.includes('is ready at')) resolve();
        });
      server.on('close', () => {
        reject(new Error(`it ended: ${output}`));
      });
    });
    for (const service of ['identity', 'region', 'compute'])
      expect(await statusOf(`http://127.0.0.1:${port}/${service}/readyz`)).toBe(200);
    // As `kubectl exec` does it, without a shell.
    const list = await outputOf({
      ...container(state, port),
      command: ['/usr/local/bin/unikorn', 'instance', 'list', '--all-projects'],
    });
    expect(list).toMatch(/^web-1 .* website /m);
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('runs as a user without rights, and has no shell, no package manager and no program that changes the user', () => {
    expect(config.User).toBe('1000:1000');
    for (const program of ['sh', 'bash', 'dash', 'apt', 'dpkg', 'npm', 'env', 'busybox'])
      for (const place of ['usr/bin', 'usr/sbin', 'usr/local/bin'])
        expect([program, existsSync(join(image, place, program))]).toEqual([program, false]);
    const special = globSync('**', { cwd: image, exclude: ['application/**', 'proc/**'] }).filter((path) => {
      const { mode } = lstatSync(join(image, path));
      return (mode & 0o6000) !== 0;
    });
    expect(special).toEqual([]);
  });

  it('has a bill of materials with everything that is installed', () => {
    interface Component {
      readonly name: string;
      readonly version: string;
      readonly purl: string;
    }
    const { components, metadata } = JSON.parse(readFileSync(join(image, 'application/sbom.cdx.json'), 'utf8')) as {
      components: readonly Component[];
      metadata: object;
    };
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const installed = globSync('application/**/node_modules/{*,@*/*}/package.json', { cwd: image }).map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(image, path), 'utf8')) as Component;
      return `${name}@${version}`;
    });
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter((one) => !listed.has(one))).toEqual([]);
    expect([...listed].some((one) => one.startsWith('node-linux-'))).toBe(true);
    for (const name of ['libc6', 'libstdc++6', 'libgcc-s1', 'base-files']) {
      const status = readFileSync(join(image, 'var/lib/dpkg/status.d', name), 'utf8');
      expect(listed).toContain(`${name}@${/^Version: (.*)$/m.exec(status)?.[1] ?? ''}`);
    }
    expect(metadata).not.toHaveProperty('timestamp');
  });

  it('has no sources, tests or development tools', () => {
    expect(
      globSync('application/packages/**/*.{ts,test.js,fixture.js}', { cwd: image, exclude: ['**/node_modules/**'] }),
    ).toEqual([]);
    for (const name of ['typescript', 'vitest', 'eslint'])
      expect(existsSync(join(image, 'application/node_modules', name))).toBe(false);
  });

  it('is the same when it is built again', async () => {
    await buildAs('2');
    const id = (tag: string) => buildah('images', '--quiet', '--no-trunc', `localhost/unikorn:${tag}`);
    expect(await id('2')).toBe(await id('1'));
    const manifest = (tag: string) => readFileSync(join(folder, `pushed-${tag}`, 'manifest.json'), 'utf8');
    expect(manifest('2')).toBe(manifest('1'));
  });
});
