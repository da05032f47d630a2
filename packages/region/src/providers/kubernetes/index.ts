export type { NodeClass } from './flavors.ts';
export { nodeClassLabel } from './nodes.ts';
export { kubernetesProvider, type KubernetesRegion } from './provider.ts';
