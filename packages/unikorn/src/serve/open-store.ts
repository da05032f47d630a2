import { readFile } from 'node:fs/promises';

import { Problem } from '@unikorn/core/errors';
import type { Store } from '@unikorn/core/store';
import type { KubernetesStore } from '@unikorn/core/store/kubernetes';
import { openSqliteStore, type SqliteStore } from '@unikorn/core/store/sqlite';
import type { Telemetry } from '@unikorn/core/telemetry';
import { assertImported } from '@unikorn/core/transfer';
import type { World } from '@unikorn/core/world';

import type { Configuration } from '../configuration/schema.ts';
import { stateFile } from '../state-directory.ts';
import { controlPlaneKinds } from './control-plane.ts';

interface StoreContext {
  /** The state directory. */
  readonly state: string;
  /** Whether to open the store although acknowledged changes are missing. */
  readonly acceptLoss: boolean;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Called when the store has gone back to an older state. */
  readonly lost?: (problem: Problem) => void;
}

/** Opens the store that the configuration names. */
export async function openStore({ store }: Pick<Configuration, 'store'>, context: StoreContext): Promise<Store> {
  const { state, acceptLoss, world, telemetry } = context;
  const opened =
    store.type === 'sqlite'
      ? await openSqliteStore({ path: stateFile(state), world, telemetry, kinds: controlPlaneKinds, acceptLoss })
      : await openKubernetes(store, context);
  try {
    await assertImported(opened);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens a state for a tool that copies objects. It deletes nothing by itself. */
export function openStateForCopy({ state, world, telemetry }: Omit<StoreContext, 'acceptLoss'>): Promise<SqliteStore> {
  return openSqliteStore({
    path: stateFile(state),
    world,
    telemetry,
    kinds: controlPlaneKinds,
    collectsGarbage: false,
  });
}

export async function openKubernetes(
  { namespace, kubeconfig }: Configuration['store'],
  { world, telemetry, lost }: Pick<StoreContext, 'world' | 'telemetry' | 'lost'>,
): Promise<KubernetesStore> {
  // Only processes with this engine load it.
  const engine = await import('@unikorn/core/store/kubernetes');
  const installation = namespace ?? (await engine.serviceAccountNamespace());
  if (installation === undefined)
    throw new Problem(
      'storage_unusable',
      'the namespace of the store is unknown: set --store-namespace, because this process does not run in a pod',
    );
  const access =
    kubeconfig === undefined
      ? await engine.serviceAccountAccess({ world, environment: process.env })
      : await engine.kubeconfigAccess(await kubeconfigIn(kubeconfig));
  return engine.openKubernetesStore({
    world,
    telemetry,
    access,
    namespace: installation,
    kinds: controlPlaneKinds,
    lost,
  });
}

async function kubeconfigIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Problem('storage_unusable', `the kubeconfig ${file} cannot be read: check its path and permissions`, {
      cause,
    });
  }
}
