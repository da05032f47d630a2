import { dataOf, sagasByUrgency, type Saga, type Unikorn } from '@unikorn/sdk';

import { answersOf, type Answers } from '../services.ts';

/** The unfinished sagas of all services that answer, those that need an operator first. */
export async function unfinishedSagas({
  identity,
  region,
  compute,
}: Unikorn): Promise<Pick<Answers<unknown>, 'silent'> & { readonly sagas: readonly Saga[] }> {
  const { answers, silent } = await answersOf({
    identity: dataOf(identity.GET('/api/v1/sagas')),
    region: dataOf(region.GET('/api/v1/sagas')),
    compute: dataOf(compute.GET('/api/v1/sagas')),
  });
  // Services with one store return the same sagas.
  return { sagas: sagasByUrgency([...new Map(answers.flat().map((saga) => [saga.id, saga])).values()]), silent };
}
