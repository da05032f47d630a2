export {
  bind,
  defineSaga,
  registeredSagas,
  resumesAfterCrash,
  serviceOf,
  type BoundSaga,
  type OnCrash,
  type SagaDefinition,
} from './definition.ts';
export { Saga, sagaLabel } from './kind.ts';
export { stepStates, type StepProgress } from './progress.ts';
export type { SagaEvent, SagaListener } from './report.ts';
export { SagaRunner, type SagaRunnerOptions } from './runner.ts';
export { putObject, seenState, stateSchema, storedSchema, takeObjectBack, type Transition } from './stored.ts';
export type { Step, StepContext, StepOutputs, StepRow, StepTable, UndoContext } from './table.ts';
export { unfinishedSagas, type UnfinishedSaga } from './unfinished.ts';
