import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { dataOf, type Instance } from '@unikorn/sdk';

import { Failure, ProgramEnded } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { instance } from '../nouns/instance.ts';
import { handleOf, refusalOf } from '../resources.ts';
import type { Terminal } from '../terminal.ts';
import { at, found, type Found, type InstanceCall } from './found.ts';
import { keep, userOf } from './ssh-key.ts';

export type SshOptions = GlobalOptions & { readonly user?: string; readonly identity?: string };

/**
 * Logs in to an instance with the ssh of this machine. The key comes from the API, in a file that exists only while ssh
 * runs. An instance that trusts a certificate authority has no such key: ssh then uses the certificates of the user.
 */
export async function sshVerb(call: InstanceCall<SshOptions>, name: string, more: readonly string[]): Promise<void> {
  const { terminal, options } = call;
  const target = await found(call, name);
  const { current } = target;
  const address = addressOf(current, terminal);
  const user = options.user ?? (await userOf(target.session, current));
  const destination = user === undefined ? address : `${user}@${address}`;
  const hosts = await knownHosts(terminal, current);
  // ssh itself says nothing until the machine answers, or for two minutes if it does not.
  if (terminal.stderr.isTTY) terminal.stderr.write(`connecting to ${destination}; Ctrl-C stops it\n`);
  const run = (identity: readonly string[]) => started(terminal, [...identity, ...hosts, destination, ...more]);
  if (options.identity !== undefined) throw new ProgramEnded(await run(['-i', options.identity]));
  if (current.spec.sshCertificateAuthorityId !== undefined) throw new ProgramEnded(await run([]));
  throw new ProgramEnded(await withKey(await keyOf(target), run));
}

async function keyOf({ session, current }: Found): Promise<string> {
  const { id } = current.metadata;
  const refusal = await refusalOf(session, instance, id, 'sshkey');
  if (refusal) throw new Failure('refused', refusal.reason, 'with your own key: add --identity FILE');
  return (await dataOf(session.unikorn.compute.GET('/api/v2/instances/{instanceID}/sshkey', at(id)))).privateKey;
}

function addressOf(current: Instance, { stderr }: Terminal): string {
  const { publicIP, privateIP } = current.status;
  if (publicIP !== undefined) return publicIP;
  if (privateIP === undefined)
    throw new Failure(
      'refused',
      `instance ${current.metadata.name} has no address yet`,
      `wait for it: unikorn instance watch ${handleOf(instance, current)} --until provisioned`,
    );
  stderr.write(`instance ${current.metadata.name} has no public address; ${privateIP} is reachable from its network\n`);
  return privateIP;
}

/**
 * Clouds use an address again for another machine, which has another host key. So host keys are stored by instance and
 * image, in a file of their own. A new image has a new host key.
 */
async function knownHosts({ configDirectory }: Terminal, { metadata, spec }: Instance): Promise<readonly string[]> {
  await mkdir(configDirectory, { recursive: true, mode: 0o700 });
  return [
    ...['-o', `UserKnownHostsFile=${quoted(join(configDirectory, 'known_hosts'))}`],
    ...['-o', `HostKeyAlias=${metadata.id}.${spec.imageId}`],
    ...['-o', 'StrictHostKeyChecking=accept-new'],
  ];
}

/** ssh splits this setting at spaces. */
function quoted(path: string): string {
  return path.includes(' ') ? `"${path}"` : path;
}

/** The folder is removed when ssh has ended, and also if this process must end before. */
async function withKey(privateKey: string, run: (identity: readonly string[]) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'unikorn-ssh-'));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  try {
    const file = join(folder, 'key');
    await keep(file, privateKey);
    return await run(['-i', file, '-o', 'IdentitiesOnly=yes']);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function started({ runProgram }: Terminal, args: readonly string[]): Promise<number> {
  try {
    return await runProgram('ssh', args);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Failure(
        'refused',
        'there is no program ssh on this machine',
        'install OpenSSH, or use the console: unikorn instance console NAME --attach',
      );
    throw error;
  }
}
