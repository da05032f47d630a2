export { defaultConfiguration, type RegionConfiguration } from './configuration.ts';
export { catalogueKinds, FileStorageClass, Region, regionKinds } from './kinds/index.ts';
export { Providers, type Offer, type ProviderFactories } from './regions/index.ts';
export { createRegion, type RegionOptions, type RegionService } from './service.ts';
