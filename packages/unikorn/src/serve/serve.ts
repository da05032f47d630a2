import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';

import type { FastifyInstance } from 'fastify';

import { Problem, toError } from '@unikorn/core/errors';
import { openSqliteStore, type SqliteStore } from '@unikorn/core/store/sqlite';
import { createTelemetry, type Telemetry } from '@unikorn/core/telemetry';
import { systemWorld as world } from '@unikorn/core/world';
import { hasStarted, markStarted, platformToken } from '@unikorn/identity';
import { folderSecrets } from '@unikorn/region';

import { secretsFolder, stateFile, type ServeOptions } from '../configuration.ts';
import { version } from '../version.ts';
import { Api } from './api.ts';
import { banner } from './banner.ts';
import { controlPlaneKinds, createControlPlane, type ControlPlane } from './control-plane.ts';
import { loadCredentials, saveCredentials, type Credentials } from './credentials.ts';
import { seedDemo } from './demo.ts';
import { encryptionKey } from './encryption-key.ts';
import { freePort } from './free-port.ts';
import { stopRequested } from './signals.ts';

/** Runs everything in this process until it is asked to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const stop = stopRequested(world);
  const state = options.ephemeral ? await mkdtemp(join(tmpdir(), 'unikorn-')) : await stateDirectory(options.state);
  try {
    await serveFrom(state, options, stop);
  } finally {
    if (options.ephemeral) await rm(state, { recursive: true, force: true });
  }
}

async function stateDirectory(path: string): Promise<string> {
  const state = resolve(path);
  try {
    await mkdir(state, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Problem('storage_unusable', `the state directory ${state} cannot be created: choose another with --state`, { cause });
  }
  return state;
}

async function serveFrom(state: string, options: ServeOptions, stop: AbortSignal): Promise<void> {
  const { logLevel: level, otlpEndpoint, traceSamplingRatio: samplingRatio } = options;
  const tracing = { samplingRatio, ...(otlpEndpoint === undefined ? {} : { otlpEndpoint }) };
  const telemetry = createTelemetry({ service: 'unikorn', version, world, log: { level, destination: process.stderr, pretty: process.stderr.isTTY }, tracing, processMetrics: true });
  const store = await openSqliteStore({ path: stateFile(state), world, telemetry, kinds: controlPlaneKinds });
  try {
    await runControlPlane(state, options, { store, telemetry }, stop);
  } finally {
    await store.close();
    await telemetry.shutdown();
  }
}

async function runControlPlane(state: string, options: ServeOptions, { store, telemetry }: { readonly store: SqliteStore; readonly telemetry: Telemetry }, stop: AbortSignal): Promise<void> {
  const port = options.port === 0 ? await freePort(options.host) : options.port;
  const publicUrl = options.publicUrl ?? localUrl(options.host, port);
  const plane = await createControlPlane({
    store,
    world,
    telemetry,
    publicUrl,
    encryptionKey: await encryptionKey(state, world, await hasStarted({ store })),
    administrator: options.administrator,
    secrets: folderSecrets(secretsFolder(state)),
    monitorPeriod_ms: options.monitorPeriod * 1000,
    monitorConcurrency: options.monitorConcurrency,
    serverCreateAttempts: options.serverCreateAttempts,
  });
  const finished = new AbortController();
  const running = plane.run(AbortSignal.any([stop, finished.signal]));
  try {
    await plane.identity.openKeys();
    await listen(plane.server, options.host, port);
    const credentials = await prepare(state, options, store, plane, publicUrl);
    process.stdout.write(banner(publicUrl, await saveCredentials(state, credentials), credentials, options.ephemeral));
    await aborted(stop);
    telemetry.log.info('stopping');
  } finally {
    // What controllers are in the middle of may wait for a timer, and timers keep no process alive.
    const { port1: alive } = new MessageChannel();
    alive.ref();
    finished.abort();
    await plane.server.close();
    await running;
    alive.close();
  }
}

/** Tokens name the address they are good for, and travel unencrypted only within one machine. */
function localUrl(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(name)) {
    throw new Problem('invalid_request', `listening on ${host} needs --public-url: the https address at which clients reach the server, such as https://cloud.example.com`);
  }
  return `http://${name}:${port}`;
}

/** What has to be there before anybody can begin: the administrator, a token for scripts and, at the first start, the demo. */
async function prepare(state: string, options: ServeOptions, store: SqliteStore, { server, identity }: ControlPlane, publicUrl: string): Promise<Credentials> {
  const held = await loadCredentials(state);
  const first = !(await hasStarted({ store }));
  const adminToken = await platformToken({ store, world }, held?.adminToken);
  const known = held?.administrator.email === options.administrator ? held.administrator.password : undefined;
  const password = (await identity.bootstrapAdministrator({ subject: options.administrator })) ?? known;
  // Only once: what a user changes or deletes afterwards stays changed or deleted.
  const demo = first && options.demo ? await seedDemo(new Api(server, adminToken)) : {};
  if (first) await markStarted({ store, world });
  return {
    ...held,
    endpoints: { identity: `${publicUrl}/identity`, region: `${publicUrl}/region`, compute: `${publicUrl}/compute` },
    adminToken,
    administrator: { email: options.administrator, ...(password === undefined ? {} : { password }) },
    ...demo,
  };
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (thrown) {
    const cause = toError(thrown);
    const taken = 'code' in cause && cause.code === 'EADDRINUSE';
    throw new Problem('server_error', taken ? `port ${port} on ${host} is in use: choose another with --port or UNIKORN_PORT` : `cannot listen on ${host}:${port}: ${cause.message}`, { cause });
  }
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
