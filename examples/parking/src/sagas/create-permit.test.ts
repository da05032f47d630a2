import { bind } from '@unikorn/core/saga';
import { describeSagas } from '@unikorn/core/testing/saga';

import { Lot, Permit } from '../kinds/index.ts';
import { createPermitSaga } from './create-permit.ts';

describeSagas('parking', [
  {
    saga: createPermitSaga,
    kinds: [Lot, Permit],
    setup: async ({ store }) => {
      await store.create(Lot, { metadata: { name: 'lot' }, spec: { spaces: 2 } });
      return {
        input: { permitId: 'permit', lotId: 'lot', plate: 'UNI-1', labels: {}, annotations: {} },
        bind: (process) => bind(createPermitSaga, process),
        snapshot: async () => ({
          permits: (await store.list(Permit)).items.map(({ spec }) => spec),
          occupants:
            (await store.get(Lot, 'lot'))?.status?.occupants?.map(({ permitId, space }) => ({ permitId, space })) ?? [],
        }),
      };
    },
  },
]);
