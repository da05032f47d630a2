export { perRegistry } from './metrics.ts';
export { withLogFields, type Telemetry } from './telemetry.ts';
