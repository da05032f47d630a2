import type { Check } from '@unikorn/cli';
import { Lease } from '@unikorn/core/controller';
import { isProblem, toError } from '@unikorn/core/errors';
import { leaseOf } from '@unikorn/core/parts';
import { hasEarlierKey } from '@unikorn/core/sealing';
import type { Store } from '@unikorn/core/store';
import { assertImported } from '@unikorn/core/transfer';
import { systemWorld as world } from '@unikorn/core/world';

import type { Configuration } from './configuration/schema.ts';
import { partTable } from './parts/table.ts';
import { resealings } from './rekey.ts';
import { controlPlaneKinds } from './serve/control-plane.ts';
import { keysIn } from './serve/encryption-key.ts';
import { openKubernetes } from './serve/open-store.ts';
import { silence } from './transfer/installation.ts';

/** The checks of `unikorn doctor` for an installation on Kubernetes. */
export async function inspectCluster(settings: Configuration['store']): Promise<readonly Check[]> {
  let store: Store;
  try {
    store = await openKubernetes(settings, { world, telemetry: silence(world) });
  } catch (error) {
    return [bad('store', error, 'check store.kubeconfig, store.namespace and the rights of the user')];
  }
  try {
    const kinds = await checkKinds(store);
    if (kinds.verdict === 'bad') return [kinds];
    return [
      { name: 'store', verdict: 'good', found: 'the Kubernetes API server can be read and written' },
      kinds,
      await checkImport(store),
      await checkKeys(store, settings.encryptionKeys),
      await checkHolders(store),
    ];
  } finally {
    await store.close();
  }
}

/** Reads one object of each kind: it is defined, and may be read. */
async function checkKinds(store: Store): Promise<Check> {
  const problems: Error[] = [];
  for (const kind of controlPlaneKinds)
    await store.list(kind, { limit: 1 }).catch((error: unknown) => problems.push(toError(error)));
  const [first] = problems;
  if (!first)
    return { name: 'kinds', verdict: 'good', found: `all ${controlPlaneKinds.length} kinds are defined and readable` };
  const more = problems.length > 1 ? `; and ${problems.length - 1} more kinds have a problem` : '';
  return {
    name: 'kinds',
    verdict: 'bad',
    found: `${first.message}${more}`,
    remedy: 'apply deploy/crds of this version, and use an account that may read all kinds',
  };
}

async function checkImport(store: Store): Promise<Check> {
  try {
    await assertImported(store);
    return { name: 'import', verdict: 'good', found: 'no import was interrupted' };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return bad('import', error, 'run the same migrate or restore command again');
  }
}

/** Tries the keys with the first objects of each kind. */
async function checkKeys(store: Store, file: string | undefined): Promise<Check> {
  const name = 'encryption keys';
  if (file === undefined)
    return {
      name,
      verdict: 'warning',
      found: 'they were not checked',
      remedy: 'name the file from the Secret: UNIKORN_ENCRYPTION_KEYS=<file>',
    };
  try {
    let earlier = 0;
    for (const resealing of resealings(await keysIn(file)))
      for (const object of (await store.list(resealing.kind, { limit: 100 })).items)
        if (await hasEarlierKey(resealing, object)) earlier++;
    return earlier === 0
      ? { name, verdict: 'good', found: 'the first key encrypts all secrets that were checked' }
      : {
          name,
          verdict: 'warning',
          found: 'some secrets are encrypted with an earlier key',
          remedy: 'unikorn rekey encrypts them with the first key',
        };
  } catch (error) {
    return bad(name, error, 'add the missing key to the Secret, and restart the processes');
  }
}

async function checkHolders(store: Store): Promise<Check> {
  const leased = partTable.filter(({ name }) => !name.endsWith('/api'));
  const held = new Set<string>();
  for (const { metadata, spec } of (await store.list(Lease)).items) if (spec.holderIdentity) held.add(metadata.name);
  const idle = leased.filter(({ name }) => !held.has(leaseOf(name)));
  return idle.length === 0
    ? { name: 'parts', verdict: 'good', found: `a process holds the lease of each of ${leased.length} parts` }
    : {
        name: 'parts',
        verdict: 'warning',
        found: `no process runs ${idle.map(({ name }) => name).join(', ')}`,
        remedy: 'start a process with these parts',
      };
}

function bad(name: string, error: unknown, remedy: string): Check {
  return { name, verdict: 'bad', found: toError(error).message, remedy };
}
