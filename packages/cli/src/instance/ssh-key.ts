import { open } from 'node:fs/promises';
import { resolve } from 'node:path';

import { dataOf, type Instance } from '@unikorn/sdk';

import { valueAt } from '../documents.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { image } from '../nouns/image.ts';
import { instance } from '../nouns/instance.ts';
import type { Printing } from '../output/print.ts';
import { list, refusalOf } from '../resources.ts';
import type { Session } from '../session.ts';
import { at, found, type InstanceCall } from './found.ts';

export type SshKeyOptions = GlobalOptions & { readonly file?: string };

/**
 * Prints the private key of an instance, or writes it to a file that only the owner can read, and shows how to use it.
 */
export async function sshKeyVerb(call: InstanceCall<SshKeyOptions>, name: string): Promise<void> {
  const {
    terminal,
    options: { file },
  } = call;
  const { session, printing, current } = await found(call, name);
  const user = (await userOf(session, current)) ?? 'USER';
  const refusal = await refusalOf(session, instance, current.metadata.id, 'sshkey');
  if (refusal)
    throw new Failure(
      'refused',
      `instance ${current.metadata.name}: ${refusal.reason}`,
      ...(await authorityHint(printing, current, user)),
    );
  const { privateKey } = await dataOf(
    session.unikorn.compute.GET('/api/v2/instances/{instanceID}/sshkey', at(current.metadata.id)),
  );
  if (file === undefined) terminal.stdout.write(privateKey);
  else await keep(resolve(terminal.cwd, file), privateKey);
  terminal.stderr.write(`${sshCommand(current, user, file ?? 'KEY-FILE')}\n`);
}

/** The command to log in to an instance that trusts an authority. */
async function authorityHint(printing: Printing, current: Instance, user: string): Promise<readonly string[]> {
  const { sshCertificateAuthorityId: id } = current.spec;
  if (id === undefined) return [];
  const authority = await printing.names('sshca', id, current);
  return [`with a certificate of the authority ${authority}: ${sshCommand(current, user)}`];
}

/** The command to log in to an instance. */
export function sshCommand({ metadata, status }: Instance, user: string, file?: string): string {
  const address = status.publicIP ?? status.privateIP;
  if (address === undefined) return `instance ${metadata.name} has no address yet`;
  const key = file === undefined ? '' : `-i ${file} `;
  return `ssh ${key}${user}@${address}${status.publicIP === undefined ? '   # from inside its network: it has no public address' : ''}`;
}

/** Images of distributions have a login user with the name of the distribution. */
export async function userOf(session: Session, { spec }: Instance): Promise<string | undefined> {
  const images = await list(session, image).catch(() => []);
  const distro = valueAt(
    images.find(({ metadata }) => metadata.id === spec.imageId),
    'spec.os.distro',
  );
  return typeof distro === 'string' ? distro : undefined;
}

/** An existing file may be readable for others, so its mode is set before the key is written. */
export async function keep(path: string, privateKey: string): Promise<void> {
  try {
    await using file = await open(path, 'w', 0o600);
    await file.chmod(0o600);
    await file.writeFile(privateKey);
  } catch (cause) {
    throw new Failure('usage', `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
