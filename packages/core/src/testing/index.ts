export { openEventStream, openEventStreamAt, type EventStream } from './event-stream.ts';
export { capture, silentTelemetry } from './telemetry.ts';
export { virtualWorld } from './world.ts';
export { lintOpenApi } from './openapi.ts';
export { interpose, isWrite, type Around, type StoreCall } from './interpose.ts';
export { Life } from './life.ts';
export { together } from './together.ts';
export { keptUnknowns, unboundedPlaces } from './request-schemas.ts';
