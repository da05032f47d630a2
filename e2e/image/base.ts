// Builds the base of the image from packages of Debian and npm, for machines that cannot pull node:24-slim.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** Why the image cannot be built on this machine; undefined if it can. */
export async function obstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'the image is built and started with namespaces, which need Linux and the user root';
  for (const program of ['buildah', 'mmdebstrap'])
    if (!(await found(program))) return `${program} is not installed (Debian has a package of this name)`;
  return undefined;
}

async function found(program: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, program);
    if (await exists(path)) return path;
  }
  return undefined;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Debian with Node and npm, as an archive. It is kept outside the repository, so that it is made once per machine. */
async function archive(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(import.meta.filename))
    .update(process.version);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const path = join(cache, 'unikorn', 'image', digest.digest('hex').slice(0, 16), 'base.tar');
  if (await exists(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  // mmdebstrap makes an archive if the name ends like that of one.
  const unfinished = join(dirname(path), `unfinished-${process.pid}.tar`);
  await run('mmdebstrap', ['--quiet', '--variant=essential', '--include=libstdc++6', 'bookworm', unfinished]);
  await rename(unfinished, path);
  return path;
}

/** The options of buildah for a store of images in a folder. Where layers cannot be mounted, they are copied. */
export async function storageIn(folder: string): Promise<readonly string[]> {
  const options = (driver: string) => {
    const place = join(folder, driver);
    return ['--root', join(place, 'storage'), '--runroot', join(place, 'run'), '--storage-driver', driver];
  };
  const layered = options('overlay');
  try {
    const { stdout: container } = await run('buildah', [...layered, 'from', 'scratch']);
    await run('buildah', [...layered, 'mount', container.trim()]);
    await run('buildah', [...layered, 'rm', container.trim()]);
    return layered;
  } catch {
    return options('vfs');
  }
}

/** Commits the base to a store of images. */
export async function commitBase(buildah: readonly string[], name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'unikorn-base-'));
  const [program = '', ...options] = buildah;
  const build = async (...args: readonly string[]) => (await run(program, [...options, ...args])).stdout.trim();
  try {
    await run('tar', ['--extract', '--file', await archive(), '--directory', folder, '--exclude=./dev']);
    const local = join(folder, 'usr/local');
    await cp(process.execPath, join(local, 'bin/node'), { dereference: true });
    // npm from this machine, with the certificate authorities by which it reaches its registry.
    const npm = dirname(dirname((await run('readlink', ['-f', (await found('npm')) ?? ''])).stdout.trim()));
    await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
    if (await exists(authorities)) await cp(authorities, join(folder, authorities), { dereference: true });
    const container = await build('from', 'scratch');
    await build('add', '--quiet', container, folder, '/');
    await build(
      'config',
      '--env',
      `NODE_EXTRA_CA_CERTS=${authorities}`,
      '--env',
      'NPM_CONFIG_UPDATE_NOTIFIER=false',
      container,
    );
    await build('commit', '--quiet', '--rm', container, name);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
