import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { arch, homedir, platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A program that is built from Go modules. */
interface Program {
  readonly name: string;
  /** The folder with its `go.mod`, and its own files if it has some. */
  readonly sources: string;
  /** The package to build. */
  readonly target: string;
}

const apiServer: Program = { name: 'apiserver', sources: join(import.meta.dirname, 'apiserver'), target: '.' };
const helm: Program = { name: 'helm', sources: join(import.meta.dirname, 'helm'), target: 'helm.sh/helm/v3/cmd/helm' };

/** The path of the built server. It is outside the repository, so that it is built once per machine. */
export function serverPath(): Promise<string> {
  return pathOf(apiServer);
}

/** The path of the built `helm`. */
export function helmPath(): Promise<string> {
  return pathOf(helm);
}

async function pathOf({ name, sources }: Program): Promise<string> {
  const digest = createHash('sha256').update(`${platform()} ${arch()}`);
  for (const file of (await readdir(sources)).toSorted())
    digest.update(file).update(await readFile(join(sources, file)));
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'unikorn', 'kubernetes', digest.digest('hex').slice(0, 16), name);
}

/** Builds the programs that do not exist. An interrupted build leaves no file that looks complete. */
export async function setup(): Promise<void> {
  for (const program of [apiServer, helm]) {
    const path = await pathOf(program);
    if (await exists(path)) continue;
    console.log(`building ${program.name}, which these tests need; it takes minutes, once`);
    await mkdir(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    await go(program.sources, [
      'build',
      '-trimpath',
      '-buildvcs=false',
      '-ldflags=-s -w',
      '-o',
      unfinished,
      program.target,
    ]);
    await rename(unfinished, path);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function go(folder: string, args: readonly string[]): Promise<void> {
  // The folder that Go's instructions recommend, which is not on every PATH.
  const path = [process.env['PATH'] ?? '', '/usr/local/go/bin'].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd: folder,
      env: { ...process.env, PATH: path, CGO_ENABLED: '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', (cause) => {
      reject(new Error('these tests need Go 1.21 or newer; it downloads the version that the server needs', { cause }));
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go ${args.join(' ')} ended with exit code ${String(code)}`));
    });
  });
}

// `.ci/run` builds before the suites that need it.
if (import.meta.main) await setup();
