import { bind } from '@unikorn/core/saga';

import { writeInstanceSaga, type WriteInstanceDeps } from './write-instance.ts';

export { amountsOf, release, type Charge, type Price } from './charge.ts';
export { priceAnnotation, settleCharge, storedPrice, writeInstanceSaga, type WriteInstance } from './write-instance.ts';

/** The sagas of compute, each with its dependencies. */
export function computeSagas(deps: WriteInstanceDeps) {
  return { writeInstance: bind(writeInstanceSaga, deps) };
}
