import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { executableBeside } from '@unikorn/cli/executable';
import { Preparation } from '@unikorn/console/server';
import { defined } from '@unikorn/core/defined';
import { isProblem, Problem } from '@unikorn/core/errors';
import { watchStandstill } from '@unikorn/core/http';
import { runMigrations } from '@unikorn/core/migration';
import { sealedStore, sealingMigration, TextSealer } from '@unikorn/core/sealing';
import type { Store } from '@unikorn/core/store';
import { createTelemetry, type SpanProcessor, type Telemetry } from '@unikorn/core/telemetry';
import { systemWorld as world } from '@unikorn/core/world';
import { hasStarted, markStarted, platformToken, type Identity } from '@unikorn/identity';
import { folderSecrets } from '@unikorn/region';

import type { Loaded } from '../configuration/load.ts';
import type { Configuration } from '../configuration/schema.ts';
import { keptAlive } from '../keep-alive.ts';
import { keepFilesPrivate, makeFolder, processFile, secretsFolder, stateFile } from '../state-directory.ts';
import { chosenParts, isSplit } from '../parts/choice.ts';
import { version } from '../version.ts';
import { Api } from './api.ts';
import { banner, partsBanner } from './banner.ts';
import { createControlPlane, migratedFields, sealedFields, type ControlPlane } from './control-plane.ts';
import { loadCredentials, saveCredentials, type Credentials } from './credentials.ts';
import { seedDemo } from './demo.ts';
import { connections } from './connections.ts';
import { encryptionKeys } from './encryption-key.ts';
import { listening, reservePort, type ReservedPort } from './reserve-port.ts';
import { giveBackMemory } from './memory.ts';
import { controlPlaneMigrations, hasMigrated, migrationsOf } from './migrations.ts';
import { openStore } from './open-store.ts';
import { listenForOperators, metricsOfApi } from './operators-port.ts';
import { stopRequested } from './signals.ts';
import { processPressure, trafficOf } from './traffic.ts';

/** Runs the selected parts in this process until it is asked to stop. */
export async function serve(
  loaded: Pick<Loaded, 'configuration' | 'file'>,
  { acceptLoss }: Pick<Start, 'acceptLoss'>,
): Promise<void> {
  const {
    state: { ephemeral, directory },
    server,
  } = loaded.configuration;
  const stop = stopRequested(world);
  // Ignore errors on stdout and stderr: the server must keep running when its reader goes away.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await keptAlive(async () => {
    const reserved = await reservePort(world, server.host, server.port);
    try {
      const state = ephemeral ? await mkdtemp(join(tmpdir(), 'unikorn-')) : await stateDirectory(directory);
      try {
        await serveFrom({ state, acceptLoss, reserved, ...loaded }, stop);
      } finally {
        if (ephemeral) await rm(state, { recursive: true, force: true });
      }
    } finally {
      await reserved.release();
    }
  });
}

/** The dependencies of a start. */
interface Start {
  /** The state directory. */
  readonly state: string;
  readonly configuration: Configuration;
  /** The configuration file that was read, if any. */
  readonly file?: string;
  /** The port of the server. It is released when the server listens. */
  readonly reserved: ReservedPort;
  /** Whether to start although acknowledged changes are missing from the state. */
  readonly acceptLoss: boolean;
}

async function stateDirectory(path: string): Promise<string> {
  const state = resolve(path);
  keepFilesPrivate();
  try {
    await makeFolder(state);
  } catch (cause) {
    throw new Problem(
      'storage_unusable',
      `the state directory ${state} cannot be created: choose another with --state`,
      { cause },
    );
  }
  return state;
}

async function serveFrom(start: Start, stop: AbortSignal): Promise<void> {
  const { log, tracing } = start.configuration;
  const people = process.stderr.isTTY;
  const telemetry = createTelemetry({
    service: 'unikorn',
    version,
    world,
    log: { level: log.level ?? (people ? 'warn' : 'info'), destination: process.stderr, pretty: people },
    tracing: { samplingRatio: tracing.samplingRatio, processors: await tracesTo(tracing.endpoint) },
    processMetrics: true,
  });
  const store = await openStore(start.configuration, {
    state: start.state,
    acceptLoss: start.acceptLoss,
    world,
    telemetry,
    lost: endNow,
  });
  try {
    await writeFile(processFile(start.state), `${process.pid}\n`);
    await runControlPlane(start, { store, telemetry }, stop);
  } finally {
    await rm(processFile(start.state), { force: true });
    await store.close();
    await telemetry.shutdown();
  }
}

/**
 * The store has gone back to an older state, so caches and positions of this process are wrong, and it must not write.
 * It ends as if it were killed, and its next start reads everything again.
 */
function endNow(problem: Problem): void {
  process.stderr.write(`error: ${problem.message}\n`);
  process.exit(1);
}

async function tracesTo(endpoint: string | undefined): Promise<readonly SpanProcessor[]> {
  if (endpoint === undefined) return [];
  const { otlpProcessor } = await import('@unikorn/core/telemetry/otlp');
  return [otlpProcessor(endpoint)];
}

const minute_ms = 60_000;
const day_ms = 24 * 60 * minute_ms;

async function runControlPlane(
  start: Start,
  { store: engine, telemetry }: { readonly store: Store; readonly telemetry: Telemetry },
  stop: AbortSignal,
): Promise<void> {
  const { state, file, configuration } = start;
  const { server, identity, region, compute, history, monitor } = configuration;
  const { port } = start.reserved;
  const publicUrl = server.publicUrl?.replace(/\/$/, '') ?? localUrl(server.host, port);
  const monitorPeriod_ms = monitor.period * 1000;
  const parts = chosenParts(configuration);
  const split = isSplit(configuration);
  const started = split ? await hasMigrated({ store: engine }) : await hasStarted({ store: engine });
  const [key, ...earlierKeys] = await encryptionKeys(configuration.store, { state, world, started });
  const sealer = new TextSealer(key, ...earlierKeys);
  const migrations = split
    ? migrationsOf(parts)
    : [...controlPlaneMigrations(), sealingMigration('core-sealed-user-data', engine, sealer, migratedFields)];
  await runMigrations({ store: engine, world, telemetry }, migrations, started ? sayMigrating : undefined);
  const store = sealedStore(engine, sealer, sealedFields);
  const pages = new Preparation((text) => process.stdout.write(`  ${text}\n`));
  const connected = await connections(configuration, { world, telemetry }, stop);
  const plane = await createControlPlane({
    store,
    world,
    telemetry,
    publicUrl,
    trustedProxies: server.trustedProxies,
    traffic: trafficOf(configuration),
    stall_ms: configuration.traffic.unread * 1000,
    pressure: processPressure(world, configuration, stop),
    standstill: watchStandstill(world, stop),
    encryptionKey: key,
    earlierKeys,
    administrator: administratorOf(configuration),
    globalRoles: identity.globalRoles,
    secrets: folderSecrets(secretsFolder(state)),
    identity: {
      clients: identity.clients,
      providers: identity.providers,
      serviceAccountTokenLifetime_ms: identity.serviceAccountTokenLifetime * day_ms,
      historyRetention_ms: history.retention * day_ms,
      objectLimits: configuration.objects,
    },
    region: {
      monitorPeriod_ms,
      monitorConcurrency: monitor.concurrency,
      serverCreateAttempts: region.serverCreateAttempts,
      providerCalls: region.providerCalls,
      historyRetention_ms: history.retention * day_ms,
      objectLimits: configuration.objects,
    },
    compute: {
      monitorPeriod_ms,
      stuckAfter_ms: compute.stuckAfter * minute_ms,
      historyRetention_ms: history.retention * day_ms,
    },
    parts: (name) => parts.includes(name),
    remote: connected.remote,
    metrics: metricsOfApi(configuration),
    console: pages,
  });
  if (parts.includes('identity/api')) await plane.identity?.openKeys();
  await start.reserved.release();
  // The server listens before the parts run. Otherwise a process that is stopped at once would close the server first,
  // and then listen.
  await listening(server.host, port, plane.server.listen({ host: server.host, port }));
  const others = [
    ...(await connected.listen(plane.server)),
    ...(await listenForOperators(configuration, { store, world, telemetry }, plane.probed)),
  ];
  const finished = new AbortController();
  const running = plane.run(AbortSignal.any([stop, finished.signal]), others);
  try {
    if (plane.identity && parts.includes('identity/api') && split && !engine.sole)
      await prepareShared(start, plane.identity);
    else if (plane.identity && parts.includes('identity/api')) {
      const { credentials, newPassword } = await prepare(
        start,
        store,
        { ...plane, identity: plane.identity },
        { publicUrl, local: loopbackUrl(server.host, port) },
      );
      process.stdout.write(
        banner({
          base: publicUrl,
          file: await saveCredentials(state, credentials),
          configurationFile: file,
          credentials,
          newPassword,
          isTerminal: process.stdout.isTTY,
          ephemeral: configuration.state.ephemeral,
          executable: executableBeside(process.env),
        }),
      );
    }
    if (split) process.stdout.write(partsBanner(`${server.host}:${port}`, parts));
    if (parts.includes('identity/api')) void pages.start(stop);
    await giveBackMemory();
    await aborted(stop);
    telemetry.log.info('stopping');
  } finally {
    finished.abort();
    await running;
    await connected.close();
  }
}

/** A large state takes some time, and there is no other output before the server is ready. */
function sayMigrating(migration: string): void {
  process.stderr.write(`migrating the state to version ${version}: ${migration}\n`);
}

/** The address for commands on this machine. A server that listens on all addresses also listens on the loopback. */
function loopbackUrl(host: string, port: number): string {
  const name = ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Tokens contain the address that they are valid for, and may be sent unencrypted only within one machine. */
function localUrl(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(name)) {
    throw new Problem(
      'invalid_request',
      `listening on ${host} needs --public-url: the https address at which clients reach the server, such as https://cloud.example.com`,
    );
  }
  return `http://${name}:${port}`;
}

/** Creates what every start needs: the administrator, a token for scripts and, at the first start, the demo data. */
async function prepare(
  { state, configuration }: Start,
  store: Store,
  { server, identity }: Pick<ControlPlane, 'server'> & { readonly identity: Identity },
  { publicUrl, local }: { readonly publicUrl: string; readonly local: string },
): Promise<{ readonly credentials: Credentials; readonly newPassword: string | undefined }> {
  const held = await loadCredentials(state);
  const administrator = administratorOf(configuration);
  const first = !(await hasStarted({ store }));
  if (first && held)
    throw new Problem(
      'storage_unusable',
      `${stateFile(state)} is empty, but credentials of an earlier start exist in the same directory: restore a backup, or remove the directory to start again`,
    );
  const adminToken = await platformToken({ store, world }, held?.adminToken);
  const newPassword = await identity.bootstrapAdministrator({ subject: administrator });
  const known = held?.administrator.email === administrator ? held.administrator.password : undefined;
  // The password is kept for scripts until the administrator changes it.
  const password =
    newPassword ?? (known !== undefined && (await identity.isPassword(administrator, known)) ? known : undefined);
  // Only once: later changes and deletions by users must persist.
  const demo =
    first && configuration.demo.enabled && !isSplit(configuration) ? await seedDemo(new Api(server, adminToken)) : {};
  if (first) await markStarted({ store, world });
  const credentials = {
    ...held,
    endpoints: { identity: `${publicUrl}/identity`, region: `${publicUrl}/region`, compute: `${publicUrl}/compute` },
    local,
    adminToken,
    administrator: { email: administrator, ...defined({ password }) },
    ...demo,
  };
  return { credentials, newPassword };
}

/**
 * Creates the administrator, where several processes share the store and may start at the same time. There are no
 * credentials for scripts, because the state directory of such a process is not kept. The administrator gets a password
 * with `unikorn password`.
 */
async function prepareShared({ configuration }: Start, identity: Identity): Promise<void> {
  for (;;) {
    try {
      await identity.bootstrapAdministrator({ subject: administratorOf(configuration) });
      return;
    } catch (error) {
      // Another process created the same objects, so the next attempt finds them.
      if (!isProblem(error, 'conflict')) throw error;
    }
  }
}

/** Users are identified by their mail address in lower case. */
function administratorOf({ identity }: Configuration): string {
  return identity.administrator.toLowerCase();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
  });
}
