export { catalogueFor, defaultCatalogue, type Catalogue, type SimulatedExternalNetwork } from './catalogue.ts';
export type { SimulatedRegion } from './cloud.ts';
export { nameOf, SimulatedClaim, simulatedKinds, SimulatedObject } from './kinds.ts';
export { defaultKnobs, Knobs } from './knobs.ts';
export { simulatedOperator, type Drift, type DriftingSort, type SimulatedOperator } from './operator.ts';
export { simulatedProvider } from './provider.ts';
