export { activityRoute } from './activity-route.ts';
export { creatorOf } from './creation.ts';
export { History, publicMessage, type DeletionRecorder, type HistoryOptions } from './history.ts';
export {
  defineGoneKind,
  defineHistoryKind,
  HistoryEntry,
  historyStorage,
  type HistoryEvent,
  type HistoryLabels,
  type HistoryStorage,
} from './kinds.ts';
export { readHistory, type Extract, type HistoryRead } from './reading.ts';
export { recordedRoutes, requestEvent, type RecordedObjects } from './recording.ts';
export { HistoryQuery, historyRoute, historySchema } from './route.ts';
export { sagaRecorder } from './sagas.ts';
export { changedFields, type HistorySubject, type Transition } from './subject.ts';
export { historySweeper } from './sweeper.ts';
export { commonTransitions, transitionRecorder, transitionsIn } from './transitions.ts';
