import { defined } from '../defined.ts';
import type { Store } from '../store/index.ts';
import type { BoundSaga } from './definition.ts';
import { Saga, type SagaRecord } from './kind.ts';
import { progressOf, type StepProgress } from './progress.ts';

/** A saga that has not ended, as operators see it. Its input stays in the record. */
export interface UnfinishedSaga {
  readonly id: string;
  readonly name: string;
  readonly state: 'running' | 'unwinding' | 'stuck';
  /** The step whose undo keeps failing, or else the step that failed. */
  readonly step?: string;
  readonly startedTime: string;
  /** How often the undo of the step has failed. */
  readonly attempts: number;
  readonly nextAttemptTime?: string;
  readonly message?: string;
  readonly holder: string;
  /** Empty if this process does not know the saga. */
  readonly steps: readonly StepProgress[];
}

/** Every saga that has not ended, in whatever process it runs. */
export async function unfinishedSagas(
  store: Store,
  sagas: ReadonlyMap<string, BoundSaga> = new Map(),
): Promise<readonly UnfinishedSaga[]> {
  const { items } = await store.list(Saga, { cached: true });
  return items.map((record) => present(record, sagas.get(record.spec.saga)));
}

function present(record: SagaRecord, saga: BoundSaga | undefined): UnfinishedSaga {
  const { metadata, spec, status = {} } = record;
  const { phase: state = 'running', failedStep, error: message, undo } = status;
  const step = undo?.step ?? failedStep;
  return {
    id: metadata.name,
    name: spec.saga,
    state,
    ...defined({ step }),
    startedTime: metadata.creationTimestamp,
    attempts: undo?.attempts ?? 0,
    ...(undo ? { nextAttemptTime: undo.nextAttempt } : {}),
    ...defined({ message }),
    holder: spec.holder,
    steps: saga ? progressOf(saga, record) : [],
  };
}
