export { recordedRegion } from './calls.ts';
export { History, type Happening } from './history.ts';
export { recordedIntents } from './intents.ts';
export { historyRecovery } from './recovery.ts';
export { sagaRecorder } from './sagas.ts';
export { historySweeper } from './sweeper.ts';
export { transitionRecorder } from './transitions.ts';
