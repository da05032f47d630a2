import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { Problem, toError } from '@unikorn/core/errors';
import { createServer } from '@unikorn/core/http';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { createTelemetry } from '@unikorn/core/telemetry';
import { systemWorld as world } from '@unikorn/core/world';
import { createParking, parkingKinds, SimulatedGate } from '@unikorn/example-parking';

import { stateFile, type ServeOptions } from '../configuration.ts';
import { version } from '../version.ts';
import { banner } from './banner.ts';
import { loadCredentials, saveCredentials } from './credentials.ts';
import { seedDemo } from './demo.ts';
import { operatorAccess } from './operator-access.ts';
import { stopRequested } from './signals.ts';

/** Runs everything in this process until it is asked to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const stop = stopRequested();
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
  const store = await openSqliteStore({ path: stateFile(state), world, telemetry, kinds: parkingKinds });
  const credentials = await loadCredentials(state, world);
  const parking = createParking({
    store,
    world,
    telemetry,
    identity: `${hostname()}-${world.uuid()}`,
    gate: new SimulatedGate(),
    authenticator: operatorAccess(credentials.token),
    authorizationServer: `http://${options.host}:${options.port}/identity`,
  });
  const server = await createServer({ services: [parking.service], store, world, telemetry });
  const finished = new AbortController();
  const running = parking.run(AbortSignal.any([stop, finished.signal]));
  try {
    const base = await listen(server, options);
    if (options.demo) await seedDemo(server, credentials);
    const file = await saveCredentials(state, { ...credentials, endpoints: { parking: `${base}/parking` } });
    process.stdout.write(banner(base, file, options.ephemeral));
    await aborted(stop);
    telemetry.log.info('stopping');
  } finally {
    finished.abort();
    await server.close();
    await running;
    await store.close();
    await telemetry.shutdown();
  }
}

async function listen(server: FastifyInstance, { host, port }: ServeOptions): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (thrown) {
    const cause = toError(thrown);
    const taken = 'code' in cause && cause.code === 'EADDRINUSE';
    throw new Problem('server_error', taken ? `port ${port} on ${host} is in use: choose another with --port or UNIKORN_PORT` : `cannot listen on ${host}:${port}: ${cause.message}`, { cause });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    }, { once: true });
  });
}
