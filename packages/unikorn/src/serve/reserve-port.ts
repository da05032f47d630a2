import { createServer } from 'node:http';

import { Problem, problems, toError } from '@unikorn/core/errors';
import type { World } from '@unikorn/core/world';

/** A port that belongs to this process, before its server can answer. */
export interface ReservedPort {
  readonly port: number;
  /** Closes the port, so that the server can listen on it. */
  release(): Promise<void>;
}

/**
 * Takes the port before anything is created or changed: if it is in use, another server runs here. Until the server
 * listens itself, requests are answered with 503. Port 0 takes any free port.
 */
export async function reservePort(world: Pick<World, 'uuid'>, host: string, wanted: number): Promise<ReservedPort> {
  const { status, wire, retryAfter_s } = problems.overloaded;
  const starting = createServer((_request, response) => {
    response
      .writeHead(status, {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        'retry-after': String(retryAfter_s),
        connection: 'close',
      })
      .end(
        JSON.stringify({
          error: wire,
          error_description: 'the server is starting; try again in a moment',
          trace_id: world.uuid().replaceAll('-', ''),
        }),
      );
  });
  await listening(
    host,
    wanted,
    new Promise<void>((resolve, reject) => {
      starting.once('error', reject).listen({ host, port: wanted }, resolve);
    }),
  );
  const address = starting.address();
  return {
    port: typeof address === 'object' && address ? address.port : wanted,
    release: () =>
      new Promise((resolve) => {
        starting.close(() => {
          resolve();
        });
        starting.closeAllConnections();
      }),
  };
}

/** The settings that an operator can change if a port cannot be used. */
const serverSettings = { port: '--port or UNIKORN_PORT', host: '--host or UNIKORN_HOST' };

/** The result of listening, or an error that says why it is not possible. */
export async function listening<T>(
  host: string,
  port: number,
  attempt: Promise<T>,
  settings = serverSettings,
): Promise<T> {
  try {
    return await attempt;
  } catch (thrown) {
    const cause = toError(thrown);
    const taken = 'code' in cause && cause.code === 'EADDRINUSE';
    throw new Problem(
      'server_error',
      taken
        ? `port ${port} on ${host} is in use: choose another with ${settings.port}`
        : `cannot listen on ${host}: ${cause.message}; choose another with ${settings.host}`,
      { cause },
    );
  }
}
