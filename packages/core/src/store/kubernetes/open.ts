import { KubernetesEngine, type KubernetesStore, type KubernetesStoreOptions } from './engine.ts';

/**
 * Opens a store in a namespace of a Kubernetes cluster, and checks that it can be used. Its kinds must be defined there
 * (`deploy/crds`).
 *
 * @example const store = await openKubernetesStore({ world, telemetry, access: await serviceAccountAccess({ world, environment: process.env }), namespace: 'unikorn' });
 */
export async function openKubernetesStore(options: KubernetesStoreOptions): Promise<KubernetesStore> {
  const engine = new KubernetesEngine(options);
  try {
    await engine.probe();
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
