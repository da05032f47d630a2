export { kubeconfigAccess, serviceAccountAccess, serviceAccountNamespace, type StoreAccess } from './access.ts';
export type { ClusterCall } from './client.ts';
export type { KubernetesStore, KubernetesStoreOptions } from './engine.ts';
export { openKubernetesStore } from './open.ts';
