import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';

import { Problem } from '../../errors/index.ts';
import { KubeconfigError, parseKubeconfig, type ClusterAccess } from '../../kubernetes/index.ts';
import { waits } from '../../limits.ts';
import type { World } from '../../world/index.ts';

/** How a store reaches its API server. */
export interface StoreAccess extends Pick<ClusterAccess, 'server'> {
  /** The options of a new connection. It is another object after the certificate authority was replaced. */
  tls(): ClusterAccess['tls'];
  /** The headers of a request. They can change, because tokens are renewed. */
  headers(): Promise<Readonly<Record<string, string>>>;
}

/** The access that a kubeconfig describes. Everything must be in the text itself. */
export async function kubeconfigAccess(text: string): Promise<StoreAccess> {
  try {
    const { server, tls, headers } = await parseKubeconfig(text);
    return { server, tls: () => tls, headers: () => Promise.resolve(headers) };
  } catch (cause) {
    if (!(cause instanceof KubeconfigError)) throw cause;
    throw new Problem('storage_unusable', `the kubeconfig of the store cannot be used: ${cause.message}`, { cause });
  }
}

/** Where Kubernetes mounts the credentials of a pod. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface ServiceAccountOptions {
  readonly world: World;
  /** The variables of the process, with the address of the API server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
}

/** The credentials of a service account, as its files have them. */
interface Mounted {
  readonly authority: string;
  readonly token: string;
  readonly tls: ClusterAccess['tls'];
}

/**
 * The access of a pod through its service account. Kubernetes renews the token in its file, and can replace the
 * authority, so both are read again. If they cannot be read then, the former ones stay in use.
 */
export async function serviceAccountAccess(options: ServiceAccountOptions): Promise<StoreAccess> {
  const { world, environment, folder = serviceAccountFolder } = options;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (!host)
    throw new Problem(
      'storage_unusable',
      'the Kubernetes API server is unknown: this process does not run in a pod, so set store.kubeconfig',
    );
  let mounted = await readMounted(folder);
  let read_ms = world.monotonic_ms();
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    tls: () => mounted.tls,
    async headers() {
      if (world.monotonic_ms() - read_ms >= waits.serviceAccountToken_ms) {
        read_ms = world.monotonic_ms();
        mounted = await readMounted(folder, mounted).catch(() => mounted);
      }
      return { authorization: `Bearer ${mounted.token}` };
    },
  };
}

async function readMounted(folder: string, former?: Mounted): Promise<Mounted> {
  const [authority, token] = await Promise.all([credential(join(folder, 'ca.crt')), credential(join(folder, 'token'))]);
  if (authority === former?.authority) return { ...former, token };
  // Node silently ignores an authority that it cannot read.
  new X509Certificate(authority);
  return { authority, token, tls: { secureContext: createSecureContext({ ca: authority }), rejectUnauthorized: true } };
}

/** The namespace of the service account of a pod; undefined if the process does not run in a pod. */
export async function serviceAccountNamespace(folder: string = serviceAccountFolder): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'namespace'), 'utf8')).trim();
  } catch {
    return undefined;
  }
}

async function credential(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new Problem('storage_unusable', `${file} cannot be read: give the pod a service account`, { cause });
  }
}
