export { defaultConfiguration, type RegionConfiguration } from './configuration.ts';
export { catalogueKinds, FileStorageClass, Region, regionKinds } from './kinds/index.ts';
export {
  folderSecrets,
  kubernetesRegions,
  noSecrets,
  openstackRegions,
  Providers,
  type Offer,
  type ProviderFactories,
  type SecretReference,
  type Secrets,
} from './regions/index.ts';
export { regionMigrations } from './migrations.ts';
export { createRegion, type RegionOptions, type RegionService } from './service.ts';
