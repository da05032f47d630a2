import { Caches } from '@unikorn/core/controller';
import { createTelemetry } from '@unikorn/core/telemetry';
import { Problem } from '@unikorn/core/errors';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { systemWorld as world } from '@unikorn/core/world';
import { createIdentity, hasStarted } from '@unikorn/identity';
import { ApiError, connect, ConnectionError } from '@unikorn/sdk';

import { exists, processFile, stateFile } from './state-directory.ts';
import { controlPlaneKinds } from './serve/control-plane.ts';
import { forgetPassword, loadCredentials } from './serve/credentials.ts';
import { encryptionKey } from './serve/encryption-key.ts';
import { version } from './version.ts';

/**
 * Sets a new random password for a user. Every process that can read the state may do this, because it can also read
 * the encryption key.
 */
export async function newPassword(state: string, email: string): Promise<string> {
  const password = (await fromServer(state, email)) ?? (await fromStore(state, email));
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

async function fromStore(state: string, email: string): Promise<string> {
  const telemetry = createTelemetry({
    service: 'unikorn',
    version,
    world,
    log: { level: 'silent' },
    tracing: { samplingRatio: 0 },
  });
  const store = await openSqliteStore({ path: stateFile(state), world, telemetry, kinds: controlPlaneKinds });
  try {
    const key = await encryptionKey(state, world, await hasStarted({ store }));
    const identity = createIdentity({
      store,
      world,
      telemetry,
      caches: new Caches({ store, world, telemetry }),
      processName: 'password',
      version,
      issuer: 'http://localhost/identity',
      encryptionKey: key,
    });
    return await identity.setPassword(email);
  } finally {
    await store.close();
  }
}
