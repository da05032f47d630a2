export { recordedRegion } from './calls.ts';
export { historyRecovery } from './recovery.ts';
export { instanceHistory, instanceSubject } from './subject.ts';
