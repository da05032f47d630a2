export { silentTelemetry } from './telemetry.ts';
export { virtualWorld } from './world.ts';
