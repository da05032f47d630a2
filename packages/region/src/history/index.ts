export { cloudCallRecorder } from './cloud-calls.ts';
export {
  flushHistories,
  recorderOf,
  regionHistories,
  regionHistorySweeper,
  type RegionHistories,
} from './histories.ts';
export { imageObject, imageObjects } from './image-objects.ts';
export { imageStateRecorder } from './image-states.ts';
export { historyRoutes } from './routes.ts';
