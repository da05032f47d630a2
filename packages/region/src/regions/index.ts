export { asked, attempted, outcomeOf } from './failures.ts';
export { Providers, type Offer, type ProviderFactories } from './providers.ts';
export { isVisibleRegion, regionFor } from './visibility.ts';
