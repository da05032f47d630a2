import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import type { ReadClouds } from '../commands/region.ts';
import { findLocalServer } from '../contexts/local.ts';
import { typeable } from '../hints.ts';
import { fieldsOf } from '../documents.ts';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { createVerb, type CreateOptions } from './create.ts';
import type { Call } from './verb.ts';

export type CreateRegionOptions = CreateOptions & {
  readonly cloudsYaml?: string;
  readonly cloud?: string;
  readonly openstack?: string;
};

/** Where the control plane looks for the credentials of regions. */
const namespace = 'regions';

/**
 * Creates a region. With a `clouds.yaml`, its credentials go to the secrets of the server on this machine. For a server
 * elsewhere, the command says which secret must be created there. The password is never sent and never printed.
 */
export async function createRegionVerb(
  call: Call<CreateRegionOptions>,
  name: string,
  readClouds: ReadClouds | undefined,
): Promise<void> {
  const { cloudsYaml, cloud, ...options } = call.options;
  if (cloudsYaml === undefined) {
    if (cloud !== undefined) throw new Failure('usage', '--cloud is for --clouds-yaml only');
    return createVerb(call, name);
  }
  if (options['type'] !== 'openstack') throw new Failure('usage', '--clouds-yaml is for --type openstack only');
  if (!readClouds) throw new Failure('usage', 'this program cannot read a clouds.yaml: use --openstack instead');
  if (!/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    throw new Failure('usage', `${name} cannot be the name of a secret: use lower case letters, digits and dashes`);
  const { settings, secret } = await connectionIn(call.terminal, readClouds, { cloudsYaml, cloud });
  const more = options.openstack === undefined ? {} : fieldsOf(jsonOf(options.openstack));
  const openstack = { ...settings, serviceAccountSecret: { namespace, name }, ...more };
  const local = await findLocalServer(call.terminal);
  const isHere = local !== undefined && call.terminal.env['UNIKORN_URL'] === undefined && options.context === undefined;
  if (isHere) await keepSecret(join(local.directory, 'secrets', namespace, name), secret, call.terminal);
  await createVerb({ ...call, options: { ...options, openstack: JSON.stringify(openstack) } }, name);
  if (!isHere) call.terminal.stderr.write(instructions(name, secret));
  call.terminal.stderr.write(
    `${typeable(`now check the cloud: unikorn region check ${name}`, call.terminal.env, call.options)}\n`,
  );
}

async function connectionIn(
  { cwd }: Terminal,
  readClouds: ReadClouds,
  { cloudsYaml, cloud }: { readonly cloudsYaml: string; readonly cloud: string | undefined },
) {
  const path = resolve(cwd, cloudsYaml);
  try {
    return await readClouds(await readFile(path, 'utf8'), {
      cloud,
      readAuthority: (file) => readFile(resolve(dirname(path), file), 'utf8'),
    });
  } catch (error) {
    throw new Failure('usage', `${cloudsYaml}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Files that only their owner can read. */
async function keepSecret(
  folder: string,
  secret: Readonly<Record<string, string>>,
  { stderr }: Terminal,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [key, value] of Object.entries(secret)) await writeFile(join(folder, key), value, { mode: 0o600 });
  stderr.write(`the credentials are in ${folder}\n`);
}

function instructions(name: string, secret: Readonly<Record<string, string>>): string {
  const literals = Object.entries(secret)
    .filter(([key]) => key !== 'password')
    .map(([key, value]) => ` --from-literal='${key}=${value}'`);
  return [
    `the server does not run here: create the secret ${namespace}/${name} where it runs, with the password in a file:\n`,
    `  kubectl create secret generic ${name} -n ${namespace}${literals.join('')} --from-file=password=FILE\n`,
  ].join('');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('usage', `--openstack is not JSON: ${text}`);
  }
}
