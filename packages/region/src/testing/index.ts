export { furnishRegion, regionBody, regionSpares, type Estate, type Hands, type Materials } from './estate.ts';
export { regionTenants, type RegionStage } from './region-tenants.ts';
export { operatorMail, startRegion, type RunningRegion, type StartRegionOptions } from './start-region.ts';
export { leftBehind, networkBody, type Place } from './networks.ts';
