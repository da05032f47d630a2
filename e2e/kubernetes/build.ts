import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { arch, homedir, platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const sources = join(import.meta.dirname, 'apiserver');

/** The path of the built server. It is outside the repository, so that it is built once per machine. */
export async function serverPath(): Promise<string> {
  const digest = createHash('sha256').update(`${platform()} ${arch()}`);
  for (const name of (await readdir(sources)).toSorted())
    digest.update(name).update(await readFile(join(sources, name)));
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'unikorn', 'kubernetes', digest.digest('hex').slice(0, 16), 'apiserver');
}

/** Builds the server unless it exists. An interrupted build leaves no file that looks complete. */
export async function setup(): Promise<void> {
  const path = await serverPath();
  if (await exists(path)) return;
  console.log('building the Kubernetes API server that these tests need; it takes minutes, once');
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await go(['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', unfinished, '.']);
  await rename(unfinished, path);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function go(args: readonly string[]): Promise<void> {
  // The folder that Go's instructions recommend, which is not on every PATH.
  const path = [process.env['PATH'] ?? '', '/usr/local/go/bin'].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd: sources,
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
