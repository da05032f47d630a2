export { computeTenants, runningInstance } from './compute-tenants.ts';
export { debianImage, gpuFlavor, operatorMail, standardFlavor, startCompute, ubuntuImage, type RunningCompute, type StartComputeOptions } from './start-compute.ts';
