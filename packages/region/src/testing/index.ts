export { operatorMail, startRegion, type RunningRegion, type StartRegionOptions } from './start-region.ts';
