export {
  flushHistories,
  recorderOf,
  regionHistories,
  regionHistorySweeper,
  type RegionHistories,
} from './histories.ts';
export { historyRoutes } from './routes.ts';
