import { defineSaga, putObject, takeObjectBack } from '@unikorn/core/saga';

import { FileStorage } from '../kinds/index.ts';
import { charge, chargedInput, settleCharge, type ChargedDeps, type InputOf } from './charged.ts';
import { chargedFileStorage } from './charges.ts';

/** File storage, new or changed, and what it costs, or neither. */
export const writeFileStorageSaga = defineSaga({
  name: 'region.fileStorage.write',
  input: chargedInput(FileStorage),
  onCrash: 'unwind',
  steps: (table, deps: ChargedDeps) =>
    table
      .step({
        name: 'charge',
        do: ({ input }) => charge(deps, chargedFileStorage, input, input.after.spec),
        undo: ({ input }) => settleCharge(deps, chargedFileStorage, input),
      })
      .step({
        name: 'put',
        do: ({ input, sagaId }) => putObject(deps.store, FileStorage, input, sagaId),
        undo: ({ input, sagaId }) => takeObjectBack(deps.store, FileStorage, input, sagaId),
      }),
});

export type WriteFileStorage = (input: InputOf<typeof writeFileStorageSaga>) => Promise<unknown>;
