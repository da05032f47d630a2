import { createTelemetry } from '@unikorn/core/telemetry';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { systemWorld as world } from '@unikorn/core/world';
import { createIdentity, hasStarted } from '@unikorn/identity';

import { stateFile } from './state-directory.ts';
import { controlPlaneKinds } from './serve/control-plane.ts';
import { forgetPassword } from './serve/credentials.ts';
import { encryptionKey } from './serve/encryption-key.ts';
import { version } from './version.ts';

/** Gives somebody a new random password. Whoever has the state may: it holds the key to everything anyway. */
export async function newPassword(state: string, email: string): Promise<string> {
  const telemetry = createTelemetry({ service: 'unikorn', version, world, log: { level: 'silent' }, tracing: { samplingRatio: 0 } });
  const store = await openSqliteStore({ path: stateFile(state), world, telemetry, kinds: controlPlaneKinds });
  try {
    const key = await encryptionKey(state, world, await hasStarted({ store }));
    const identity = createIdentity({ store, world, telemetry, identity: 'password', version, issuer: 'http://localhost/identity', encryptionKey: key });
    const password = await identity.setPassword(email);
    await forgetPassword(state, email);
    return password;
  } finally {
    await store.close();
  }
}
