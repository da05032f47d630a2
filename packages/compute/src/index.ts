export { defaultConfiguration, type ComputeConfiguration } from './configuration.ts';
export { referencesOf } from './holds/index.ts';
export { ComputeInstance, computeKinds } from './kinds/index.ts';
export { computeMigrations } from './migrations.ts';
export { createCompute, type ComputeOptions, type ComputeService } from './service.ts';
