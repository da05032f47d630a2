import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

import { systemWorld } from '@unikorn/core/world';

import { emptyFolder, folderOf, runInSandbox, type Mount, type Sandbox } from '../sandbox.fixture.ts';
import type { Manifest } from './chart.fixture.ts';
import type { Cluster } from './cluster.fixture.ts';
import type { ApiServerEndpoint, PodAddress } from './pod-network.fixture.ts';

const root = join(import.meta.dirname, '../..');

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly sizeLimit: string };
  readonly secret?: {
    readonly secretName: string;
    readonly defaultMode: number;
    readonly items?: readonly { readonly key: string; readonly path: string }[];
  };
}

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

export interface Deployment extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly serviceAccountName: string;
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly containers: readonly Container[];
        readonly volumes: readonly Volume[];
      };
    };
  };
}

/** What the image contributes, from its recipe. The image has the compiled sources; here the sources themselves run. */
const image = (() => {
  const recipe = readFileSync(join(root, 'deploy/Containerfile'), 'utf8');
  const last = recipe.slice(recipe.lastIndexOf('\nFROM '));
  const line = (instruction: string) => new RegExp(`^${instruction} (.*)$`, 'm').exec(last)?.[1] ?? '';
  return {
    entrypoint: (JSON.parse(line('ENTRYPOINT')) as string[]).map((word) => word.replace(/\.js$/, '.ts')),
    environment: Object.fromEntries(
      line('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    workingDirectory: line('WORKDIR'),
  };
})();

export interface Surroundings {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** For the volumes and logs. */
  readonly folder: string;
  readonly endpoint: ApiServerEndpoint;
  /** The address of each name that a pod can look up, as the DNS of a cluster has them. */
  readonly names: ReadonlyMap<string, string>;
}

/** A pod of a Deployment, which runs as a kubelet would run it. */
export class Pod {
  readonly name: string;
  readonly address: string;
  readonly graceful_s: number;
  readonly log: string;
  /** The folders of the volumes that it can write to. */
  readonly writable: readonly string[];
  readonly #container: Container;
  readonly #sandbox: Omit<Sandbox, 'command'>;
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | string>;
  #output = '';

  static async start(surroundings: Surroundings, deployment: Deployment, at: PodAddress): Promise<Pod> {
    return new Pod(surroundings, deployment, at, await mountsOf(surroundings, deployment));
  }

  private constructor(
    { folder, endpoint }: Surroundings,
    { metadata, spec }: Deployment,
    { network, address }: PodAddress,
    mounts: readonly Mount[],
  ) {
    const { containers, terminationGracePeriodSeconds } = spec.template.spec;
    const [container] = containers;
    if (!container || containers.length > 1) throw new Error(`${metadata.name} must have one container`);
    this.name = metadata.name;
    this.address = address;
    this.graceful_s = terminationGracePeriodSeconds - (container.lifecycle?.preStop.sleep.seconds ?? 0);
    this.log = join(folder, `${this.name}.log`);
    this.#container = container;
    this.writable = mounts.filter(({ writable }) => writable).map(({ source }) => source);
    this.#sandbox = {
      folder,
      network,
      mounts,
      links: { '/lib': 'usr/lib', '/lib64': 'usr/lib64' },
      workingDirectory: image.workingDirectory,
      environment: {
        ...image.environment,
        // Kubernetes adds these two to every container.
        KUBERNETES_SERVICE_HOST: endpoint.host,
        KUBERNETES_SERVICE_PORT: String(endpoint.port),
        ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
        // Only for the test: the process ends with it, and compiled code of other tests is used. It cannot be written.
        UNIKORN_PARENT: String(process.pid),
        NODE_COMPILE_CACHE: '/application/node_modules/.compiled',
      },
    };
    this.#process = this.#run([...image.entrypoint, ...container.args]);
    this.#ended = ending(this.#process);
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    void this.#ended.then(() => {
      writeFileSync(this.log, this.#output);
    });
  }

  /** Waits until a probe of the Deployment succeeds. */
  async passes(probe: 'startupProbe' | 'livenessProbe' | 'readinessProbe'): Promise<void> {
    const { path, port } = this.#container[probe].httpGet;
    const number = this.#container.ports.find(({ name }) => name === port)?.containerPort;
    if (number === undefined) throw new Error(`${this.name} has no port ${port}`);
    const url = `http://${this.address}:${number}${path}`;
    let ended: number | string | undefined;
    void this.#ended.then((how) => (ended = how));
    while ((await statusOf(url)) !== 200) {
      if (ended !== undefined) throw new Error(`${this.name} ended with ${ended}: ${this.#output.slice(-2_000)}`);
      await systemWorld.sleep(250);
    }
  }

  /** Runs a command in the pod, as `kubectl exec` does, and returns its output. */
  async execute(...args: readonly string[]): Promise<string> {
    const child = this.#run([...image.entrypoint, ...args]);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const how = await ending(child);
    if (how !== 0) throw new Error(`${args.join(' ')} ended with ${how}: ${output}`);
    return output;
  }

  /** Ends it as a kubelet does: SIGKILL after the grace period. Returns the exit code, or the signal that ended it. */
  async stop(): Promise<number | string> {
    this.#process.kill('SIGTERM');
    const late = new AbortController();
    void systemWorld.sleep(this.graceful_s * 1_000, late.signal).then(() => {
      if (!late.signal.aborted) this.#process.kill('SIGKILL');
    });
    const how = await this.#ended;
    late.abort();
    return how;
  }

  #run(command: readonly string[]): ChildProcess {
    return runInSandbox({ ...this.#sandbox, command });
  }
}

/** How a process ended: its exit code, or a signal. */
function ending(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      resolve(code ?? signal ?? 'unknown');
    });
  });
}

async function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = get(url, { timeout: 5_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('timeout', () => {
      sent.destroy();
    });
    sent.on('error', () => {
      resolve(undefined);
    });
  });
}

/** The image, the volumes of the Deployment, and what Kubernetes mounts into every container. */
async function mountsOf(surroundings: Surroundings, { spec }: Deployment): Promise<readonly Mount[]> {
  const { cluster, namespace, folder, endpoint, names } = surroundings;
  const { containers, volumes, serviceAccountName } = spec.template.spec;
  const sources = new Map<string, string>();
  for (const volume of volumes) sources.set(volume.name, await sourceOf(surroundings, volume));
  const writable = new Set(volumes.filter(({ emptyDir }) => emptyDir).map(({ name }) => name));
  const hosts = [['127.0.0.1', 'localhost'], ...[...names].map(([name, address]) => [address, name])];
  return [
    ...['/usr/lib', '/usr/lib64'].map((path) => ({ source: path, target: path })),
    { source: '/proc', target: '/proc' },
    { source: process.execPath, target: '/usr/local/bin/node' },
    { source: root, target: '/application' },
    {
      source: join(folderOf(folder, { hosts: hosts.map((each) => `${each.join(' ')}\n`).join('') }, 0o644), 'hosts'),
      target: '/etc/hosts',
    },
    ...(containers[0]?.volumeMounts ?? []).map(({ name, mountPath, readOnly }) => ({
      source: sources.get(name) ?? '',
      target: mountPath,
      writable: writable.has(name) && !readOnly,
    })),
    {
      source: folderOf(folder, {
        token: await tokenFor(cluster, namespace, serviceAccountName),
        'ca.crt': endpoint.authority,
        namespace,
      }),
      target: '/var/run/secrets/kubernetes.io/serviceaccount',
    },
  ].toSorted((a, b) => a.target.length - b.target.length);
}

async function tokenFor(cluster: Cluster, namespace: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const { body } = await cluster.call('POST', path, { spec: { expirationSeconds: 3600 } });
  return (body as { status: { token: string } }).status.token;
}

/** The folder of a volume. A Secret must exist in the cluster. */
async function sourceOf({ cluster, namespace, folder }: Surroundings, { name, emptyDir, secret }: Volume) {
  if (emptyDir) return emptyFolder(folder);
  if (!secret) throw new Error(`the volume ${name} is of a type that the test does not know`);
  const { status, body } = await cluster.call('GET', `/api/v1/namespaces/${namespace}/secrets/${secret.secretName}`);
  if (status !== 200) throw new Error(`the volume ${name} needs the Secret ${secret.secretName}`);
  const { data } = body as { data: Readonly<Record<string, string>> };
  const items = secret.items ?? Object.keys(data).map((key) => ({ key, path: key }));
  const files = Object.fromEntries(items.map(({ key, path }) => [path, Buffer.from(data[key] ?? '', 'base64')]));
  return folderOf(folder, files, secret.defaultMode);
}
