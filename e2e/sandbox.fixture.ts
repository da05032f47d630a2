import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user and group of the image. */
export const user = 1000;

/** Something that is at a path of the sandbox. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly writable?: boolean;
}

export interface Sandbox {
  /** For the mount points, which are removed with it. */
  readonly folder: string;
  /** Everything that the process sees, in the order in which it is mounted. The first may be `/`. */
  readonly mounts: readonly Mount[];
  /** Folders and links that must exist, if there is no mount at `/`. */
  readonly links?: Readonly<Record<string, string>>;
  /** The network namespace of the process, by name. Without one it has the network of this machine. */
  readonly network?: string;
  readonly workingDirectory: string;
  /** All variables of the process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** Why there can be no sandbox on this machine; undefined if there can. */
export const impossible =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'containers are imitated with mount namespaces, which need Linux and the user root'
    : undefined;

/**
 * Runs a command as a container would run it: with its own file system, which it cannot write to except where a volume
 * is, as a user without rights, and in the given network.
 */
export function runInSandbox(sandbox: Sandbox): ChildProcess {
  const { folder, mounts, links = {}, network, workingDirectory, environment, command } = sandbox;
  const root = mkdtempSync(join(folder, 'root-'));
  const at = (path: string) => quote(join(root, path));
  const whole = mounts[0]?.target === '/' ? mounts[0] : undefined;
  const script = [
    'set -e',
    whole ? `${mount} --bind ${quote(whole.source)} ${at('/')}` : `${mount} -t tmpfs -o mode=755 tmpfs ${at('/')}`,
    ...Object.entries(links).map(([path, target]) => `${bin}/ln -s ${quote(target)} ${at(path)}`),
    ...mounts
      .filter((each) => each !== whole)
      .flatMap(({ source, target, writable }) => [
        `if [ -d ${quote(source)} ]; then ${bin}/mkdir -p ${at(target)}; else ${bin}/mkdir -p ${at(dirname(target))}; [ -e ${at(target)} ] || : > ${at(target)}; fi`,
        `${mount} --bind ${quote(source)} ${at(target)}`,
        ...(writable ? [] : [`${mount} -o remount,bind,ro ${at(target)}`]),
      ]),
    `${mount} -o remount,bind,ro ${at('/')}`,
    `exec ${bin}/unshare --root ${at('/')} --wd ${quote(workingDirectory)} --setuid ${user} --setgid ${user} ${command.map(quote).join(' ')}`,
  ].join('\n');
  const args = ['--mount', '--propagation', 'private', '/bin/sh', '-c', script];
  const options: SpawnOptions = { env: environment, stdio: ['ignore', 'pipe', 'pipe'] };
  return network === undefined
    ? spawn(`${bin}/unshare`, args, options)
    : spawn(`${bin}/nsenter`, [`--net=/run/netns/${network}`, `${bin}/unshare`, ...args], options);
}

const bin = '/usr/bin';
const mount = `${bin}/mount`;

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A folder that the process may write to, like an `emptyDir` with an `fsGroup`. */
export function emptyFolder(folder: string): string {
  const path = mkdtempSync(join(folder, 'volume-'));
  chownSync(path, user, user);
  chmodSync(path, 0o770);
  return path;
}

/** A folder with these files, like a mounted Secret: root owns them, and the group of the process may read them. */
export function folderOf(folder: string, files: Readonly<Record<string, string | Buffer>>, mode = 0o640): string {
  const path = mkdtempSync(join(folder, 'volume-'));
  chownSync(path, 0, user);
  chmodSync(path, 0o750);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
    chownSync(join(path, name), 0, user);
    chmodSync(join(path, name), mode);
  }
  return path;
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
