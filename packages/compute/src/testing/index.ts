export { computeBody, computeSpares, computeTenants, runningInstance } from './compute-tenants.ts';
export { LegacyInstance } from './records.ts';
export {
  debianImage,
  gpuFlavor,
  operatorMail,
  standardFlavor,
  startCompute,
  ubuntuImage,
  type RunningCompute,
  type StartComputeOptions,
} from './start-compute.ts';
