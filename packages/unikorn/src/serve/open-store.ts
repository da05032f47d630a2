import { readFile } from 'node:fs/promises';

import { Problem } from '@unikorn/core/errors';
import type { Store } from '@unikorn/core/store';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import type { Telemetry } from '@unikorn/core/telemetry';
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
}

/** Opens the store that the configuration names. */
export async function openStore(configuration: Pick<Configuration, 'store'>, context: StoreContext): Promise<Store> {
  const { state, acceptLoss, world, telemetry } = context;
  switch (configuration.store.type) {
    case 'sqlite':
      return openSqliteStore({ path: stateFile(state), world, telemetry, kinds: controlPlaneKinds, acceptLoss });
    case 'kubernetes':
      return openKubernetes(configuration.store, context);
  }
}

async function openKubernetes(
  { namespace, kubeconfig }: Configuration['store'],
  { world, telemetry }: StoreContext,
): Promise<Store> {
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
  return engine.openKubernetesStore({ world, telemetry, access, namespace: installation });
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
