import { X509Certificate } from 'node:crypto';
import { createSecureContext, type ConnectionOptions, type SecureContextOptions } from 'node:tls';

import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '../defined.ts';

/** The address and credentials of a cluster. */
export interface ClusterAccess {
  readonly server: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized' | 'servername'>;
}

const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$' });

const Cluster = Type.Object(
  {
    server: Type.String({ pattern: '^https://' }),
    'certificate-authority-data': Type.Optional(Base64),
    'insecure-skip-tls-verify': Type.Optional(Type.Boolean()),
    'tls-server-name': Type.Optional(Type.String()),
    'disable-compression': Type.Optional(Type.Boolean()),
    extensions: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

const User = Type.Object(
  {
    token: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+$' })),
    'client-certificate-data': Type.Optional(Base64),
    'client-key-data': Type.Optional(Base64),
    extensions: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

const Named = Type.Object({ name: Type.String() });
const document = Compile(
  Type.Object({
    'current-context': Type.String(),
    contexts: Type.Array(
      Type.Object({ name: Type.String(), context: Type.Object({ cluster: Type.String(), user: Type.String() }) }),
    ),
    clusters: Type.Array(Named),
    users: Type.Array(Named),
  }),
);
const clusterEntry = Compile(Type.Object({ cluster: Cluster }));
const userEntry = Compile(Type.Object({ user: User }));

/**
 * Reads the current context of a kubeconfig. Everything must be in the text itself: commands and local files, which a
 * kubeconfig may also name, are refused. Other fields that would be ignored are refused too.
 */
export async function parseKubeconfig(text: string): Promise<ClusterAccess> {
  const value = await parseYaml(text);
  if (!document.Check(value)) throw broken('it must have a current context, contexts, clusters and users');
  const current = value.contexts.find(({ name }) => name === value['current-context']);
  if (!current) throw broken('its current context is not among its contexts');
  const cluster = value.clusters.find(({ name }) => name === current.context.cluster);
  if (!clusterEntry.Check(cluster))
    throw broken('the cluster of its current context must have an https server, and its certificate authority as data');
  const user = value.users.find(({ name }) => name === current.context.user);
  if (!userEntry.Check(user))
    throw broken(
      'the user of its current context must have a token, or a client certificate and key as data, and nothing else',
    );
  return accessOf(cluster.cluster, user.user);
}

async function parseYaml(text: string): Promise<unknown> {
  // The parser is only loaded by processes that read a kubeconfig.
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (cause) {
    throw broken('it must be YAML', cause);
  }
}

function accessOf(cluster: Static<typeof Cluster>, user: Static<typeof User>): ClusterAccess {
  const servername = cluster['tls-server-name'];
  try {
    return {
      server: new URL(cluster.server),
      headers: user.token === undefined ? {} : { authorization: `Bearer ${user.token}` },
      tls: {
        secureContext: createSecureContext({ ...authorityOf(cluster), ...certificateOf(user) }),
        rejectUnauthorized: cluster['insecure-skip-tls-verify'] !== true,
        ...defined({ servername }),
      },
    };
  } catch (cause) {
    throw broken(
      'its server must be an address, and its certificates and keys must be in pem and belong together',
      cause,
    );
  }
}

function authorityOf({ 'certificate-authority-data': data }: Static<typeof Cluster>): SecureContextOptions {
  if (data === undefined) return {};
  const ca = decoded(data);
  // Node silently ignores an authority that it cannot read.
  new X509Certificate(ca);
  return { ca };
}

function certificateOf({
  'client-certificate-data': certificate,
  'client-key-data': key,
}: Static<typeof User>): SecureContextOptions {
  return {
    ...(certificate === undefined ? {} : { cert: decoded(certificate) }),
    ...(key === undefined ? {} : { key: decoded(key) }),
  };
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}

/** Its message says what is wrong with a kubeconfig, and contains nothing of it. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

function broken(why: string, cause?: unknown): KubeconfigError {
  return new KubeconfigError(why, { cause });
}
