import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';

import { testAuthority } from '@unikorn/core/testing/certificates';
import { systemWorld } from '@unikorn/core/world';

import { lastingPort } from '../free-port.fixture.ts';
import { partTable, serviceNames, type ServiceName } from '../../packages/unikorn/src/parts/table.ts';
import { send } from '../product/running.fixture.ts';
import { startWire, type Cut } from './wire.fixture.ts';

const main = join(import.meta.dirname, '../../packages/unikorn/src/main.ts');
const compiled = join(import.meta.dirname, '../../node_modules/.compiled');
const host = '127.0.0.1';
const authority = testAuthority();
const encryptionKey = `${Buffer.alloc(32, 7).toString('base64url')}\n`;

/** The processes of a service. Each of them runs twice. */
const layouts = {
  /** One process with all parts of the service. */
  narrow: ['all'],
  /** Its API, and all its other parts. */
  wide: ['api', 'work'],
} as const;
type Role = (typeof layouts)[keyof typeof layouts][number];
const chosenLayout = process.env['UNIKORN_LAYOUT'] === 'wide' ? 'wide' : 'narrow';

export interface PlatformOptions {
  /** For the states, certificates and logs of the processes. */
  readonly folder: string;
  readonly namespace: string;
  /** The kubeconfig of a process, with this port of the API server. */
  readonly kubeconfig: (port: number) => string;
  readonly apiServerPort: number;
  readonly layout?: keyof typeof layouts;
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

/** Two replicas of every part, as processes that share a namespace of an API server. */
export async function startPlatform(options: PlatformOptions) {
  const replicas: Replica[] = [];
  const inFront = new Map<ServiceName, Awaited<ReturnType<typeof startWire>>>();
  for (const service of ['identity', 'region'] as const) {
    let turn = 0;
    const wire = await startWire(() => {
      const ready = replicas.filter((each) => each.service === service && each.servesApi && each.isReady);
      return ready[turn++ % ready.length]?.ports.services;
    });
    inFront.set(service, wire);
  }
  const address = (service: ServiceName) => `https://${host}:${inFront.get(service)?.port ?? 0}/${service}`;
  for (const service of serviceNames)
    for (const role of layouts[options.layout ?? chosenLayout])
      for (const number of [1, 2]) replicas.push(await Replica.create({ ...options, service, role, number, address }));

  await Promise.all(replicas.map((replica) => replica.start()));
  return {
    replicas,
    async stop() {
      for (const replica of replicas) replica.thaw();
      await Promise.all(replicas.map((replica) => replica.stop('SIGTERM')));
      for (const wire of inFront.values()) await wire.stop();
      for (const replica of replicas) await replica.close();
    },
  };
}

interface ReplicaOptions extends PlatformOptions {
  readonly service: ServiceName;
  readonly role: Role;
  readonly number: number;
  readonly address: (service: ServiceName) => string;
}

/** When a process ran, in milliseconds since the epoch. */
export interface Life {
  readonly pid: number;
  readonly from: number;
  until: number;
}

/** A period in which a process was stopped with SIGSTOP. */
export interface Freeze {
  readonly from: number;
  until: number;
}

/** One process of the platform, which can be killed, frozen and cut off. */
export class Replica {
  readonly name: string;
  readonly service: ServiceName;
  readonly servesApi: boolean;
  readonly ports: { readonly open: number; readonly services: number };
  readonly lives: Life[] = [];
  readonly freezes: Freeze[] = [];
  readonly log: string;
  /** Like the readiness of a pod: the result of the last probe. */
  isReady = false;
  readonly #state: string;
  readonly #arguments: readonly string[];
  readonly #wire: Awaited<ReturnType<typeof startWire>>;
  readonly #agent = new Agent({ keepAlive: false, timeout: probe_ms });
  readonly #end = new AbortController();
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  static async create(options: ReplicaOptions): Promise<Replica> {
    const wire = await startWire(() => options.apiServerPort);
    return new Replica(options, wire, { open: await lastingPort(host), services: await lastingPort(host) });
  }

  private constructor(
    { service, role, number, folder, namespace, kubeconfig, address }: ReplicaOptions,
    wire: Awaited<ReturnType<typeof startWire>>,
    ports: Replica['ports'],
  ) {
    this.name = `${service}-${role}-${number}`;
    this.service = service;
    this.servesApi = role !== 'work';
    this.ports = ports;
    this.#wire = wire;
    this.#state = join(folder, this.name);
    this.log = join(folder, `${this.name}.log`);
    const certificates = join(this.#state, 'tls');
    mkdirSync(certificates, { recursive: true });
    const pair = authority.issue(`unikorn-${service}`);
    writeFileSync(join(certificates, 'tls.crt'), pair.certificate);
    writeFileSync(join(certificates, 'tls.key'), pair.key);
    writeFileSync(join(certificates, 'ca.crt'), authority.certificate);
    writeFileSync(join(this.#state, 'encryption.key'), encryptionKey, { mode: 0o600 });
    writeFileSync(join(this.#state, 'kubeconfig'), kubeconfig(wire.port), { mode: 0o600 });
    const parts = partTable
      .map((part) => part.name)
      .filter((part) => part.startsWith(`${service}/`))
      .filter((part) => role === 'all' || part.endsWith('/api') === (role === 'api'));
    this.#arguments = [
      ...['serve', '--state', this.#state, '--log-level', 'info', '--only', ...parts],
      ...['--store', 'kubernetes', '--store-namespace', namespace],
      ...['--kubeconfig', join(this.#state, 'kubeconfig')],
      ...['--port', String(ports.open), '--services-port', String(ports.services), '--certificates', certificates],
      ...['--public-url', 'https://cloud.example.com', '--monitor-period', '5'],
      ...['--identity-url', address('identity'), '--region-url', address('region')],
    ];
    void this.#probe();
  }

  /** Starts the process, and waits until it serves. One that ends before is started again, as a kubelet does. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#startOnce();
        return;
      } catch (error) {
        if (attempt === mostStarts) throw error;
        await systemWorld.sleep(1_000);
      }
    }
  }

  async #startOnce(): Promise<void> {
    const log = openSync(this.log, 'a');
    const child = spawn(process.execPath, [main, ...this.#arguments], {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compiled,
        UNIKORN_PARENT: String(process.pid),
        UNIKORN_REQUESTS_PER_SECOND: '100000',
        UNIKORN_ANONYMOUS_REQUESTS_PER_SECOND: '100000',
        // Other processes of the machine may take its processors for a while.
        UNIKORN_DELAY: '20000',
      },
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    this.#child = child;
    const life: Life = { pid: child.pid ?? 0, from: systemWorld.now(), until: Infinity };
    this.lives.push(life);
    const ready = Promise.withResolvers<undefined>();
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('is ready at')) ready.resolve(undefined);
    });
    this.#ended = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        life.until = systemWorld.now();
        this.isReady = false;
        ready.reject(new Error(`${this.name} ended before it was ready (${String(code ?? signal)}); see ${this.log}`));
        resolve();
      });
    });
    await ready.promise;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#child?.kill(signal);
    await this.#ended;
  }

  freeze(): void {
    this.freezes.push({ from: systemWorld.now(), until: Infinity });
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    const last = this.freezes.at(-1);
    if (last?.until !== Infinity) return;
    last.until = systemWorld.now();
    this.#child?.kill('SIGCONT');
  }

  cutOff(how: Cut): void {
    this.#wire.cut(how);
  }

  mend(): void {
    this.#wire.mend();
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#agent.destroy();
    await this.#wire.stop();
  }

  /** Asks every second, as a kubelet does. */
  async #probe(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const url = `http://${host}:${this.ports.open}/${this.service}/readyz`;
      const answer = await Promise.race([
        send(this.#agent, url, { method: 'GET' }).catch(() => undefined),
        systemWorld.sleep(probe_ms).then(() => undefined),
      ]);
      this.isReady = answer?.statusCode === 200;
      await systemWorld.sleep(1_000, this.#end.signal);
    }
  }
}

const probe_ms = 5_000;
const mostStarts = 10;
