import { Caches } from '@unikorn/core/controller';
import { createTelemetry } from '@unikorn/core/telemetry';
import { Problem } from '@unikorn/core/errors';
import { systemWorld as world } from '@unikorn/core/world';
import { createIdentity, hasStarted } from '@unikorn/identity';
import { ApiError, connect, ConnectionError } from '@unikorn/sdk';

import type { Configuration } from './configuration/schema.ts';
import { exists, processFile } from './state-directory.ts';
import { forgetPassword, loadCredentials } from './serve/credentials.ts';
import { encryptionKeys } from './serve/encryption-key.ts';
import { openStore } from './serve/open-store.ts';
import { version } from './version.ts';

type Settings = Pick<Configuration, 'state' | 'store'>;

/**
 * Sets a new random password for a user. Every process that can read the state may do this, because it can also read
 * the encryption key.
 */
export async function newPassword(settings: Settings, email: string): Promise<string> {
  const state = settings.state.directory;
  const password = (await fromServer(state, email)) ?? (await fromStore(settings, email));
  await forgetPassword(state, email);
  return password;
}

/** Asks the server of this state; undefined if none is running. */
async function fromServer(state: string, email: string): Promise<string | undefined> {
  const held = (await exists(processFile(state))) ? await loadCredentials(state) : undefined;
  if (!held?.endpoints) return undefined;
  const { identity } = held.endpoints;
  try {
    const { data } = await connect({
      endpoints: { identity, region: identity, compute: identity },
      token: held.adminToken,
      retries: 0,
    }).identity.untyped.send('POST', '/api/v1/passwords', { body: { subject: email } });
    const { password } = { password: undefined, ...(typeof data === 'object' ? data : {}) };
    if (typeof password !== 'string')
      throw new Problem('server_error', 'the server answered without a password: update the server');
    return password;
  } catch (error) {
    // A killed process leaves its file behind.
    if (error instanceof ConnectionError) return undefined;
    if (error instanceof ApiError)
      throw new Problem(
        error.status === 404 ? 'not_found' : 'server_error',
        error.status === 404 ? 'this user does not exist' : error.message,
        { cause: error },
      );
    throw error;
  }
}

async function fromStore({ state: { directory: state }, store: settings }: Settings, email: string): Promise<string> {
  const telemetry = createTelemetry({
    service: 'unikorn',
    version,
    world,
    log: { level: 'silent' },
    tracing: { samplingRatio: 0 },
  });
  const store = await openStore({ store: settings }, { state, acceptLoss: false, world, telemetry });
  try {
    const started = await hasStarted({ store });
    const [encryptionKey, ...earlierKeys] = await encryptionKeys(settings, { state, world, started });
    const identity = createIdentity({
      store,
      world,
      telemetry,
      caches: new Caches({ store, world, telemetry }),
      processName: 'password',
      version,
      issuer: 'http://localhost/identity',
      encryptionKey,
      earlierKeys,
    });
    return await identity.setPassword(email);
  } finally {
    await store.close();
  }
}
