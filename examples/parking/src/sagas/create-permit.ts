import { Type } from 'typebox';

import { isProblem, Problem } from '@unikorn/core/errors';
import type { WritableMetadata } from '@unikorn/core/kinds';
import { defineSaga } from '@unikorn/core/saga';
import { modifyStatus, type Store } from '@unikorn/core/store';

import { Lot, Permit } from '../kinds/index.ts';
import { freeSpace, takeSpace } from './spaces.ts';

/** Says which run stored a permit, so that only that run takes it away again. */
const sagaAnnotation = 'parking.example.unikorn-cloud.org/saga-id';

export interface CreatePermitDeps {
  readonly store: Store;
}

/** A space first, then the permit: a full lot or a plate that has a permit already leaves nothing behind. */
export const createPermitSaga = defineSaga({
  name: 'parking.permit.create',
  input: Type.Object({
    permitId: Type.String(),
    lotId: Type.String(),
    plate: Type.String(),
    labels: Type.Record(Type.String(), Type.String()),
    annotations: Type.Record(Type.String(), Type.String()),
  }),
  onCrash: 'unwind',
  steps: (table, { store }: CreatePermitDeps) =>
    table
      .step({
        name: 'takeSpace',
        returns: Type.Object({ space: Type.Integer() }),
        do: async ({ input: { lotId, permitId, plate }, sagaId }) => {
          let space = 0;
          await modifyStatus(store, Lot, lotId, (lot) => {
            const taken = takeSpace(lot, permitId, sagaId);
            if (taken === 'full')
              throw new Problem(
                'quota_exceeded',
                `lot ${lotId} has no free space: 1 wanted, all ${lot.spec.spaces} taken; delete a permit or use another lot`,
              );
            if (taken === 'taken') throw duplicate(plate);
            ({ space } = taken);
            return taken.lot;
          });
          return { space };
        },
        undo: ({ input: { lotId, permitId }, sagaId }) => releaseSpace(store, lotId, permitId, sagaId),
      })
      .step({
        name: 'storePermit',
        do: async ({ input: { permitId, lotId, plate, labels, annotations }, outputs, sagaId }) => {
          const existing = await store.get(Permit, permitId);
          if (existing) {
            if (existing.metadata.annotations?.[sagaAnnotation] === sagaId) return;
            throw duplicate(plate);
          }
          const metadata: WritableMetadata = {
            name: permitId,
            labels,
            annotations: { ...annotations, [sagaAnnotation]: sagaId },
          };
          await store.create(Permit, { metadata, spec: { lotId, plate, space: outputs.takeSpace.space } });
        },
        undo: async ({ input: { permitId }, sagaId }) => {
          const stored = await store.get(Permit, permitId);
          if (stored?.metadata.annotations?.[sagaAnnotation] === sagaId)
            await store.delete(Permit, permitId, { preconditions: { uid: stored.metadata.uid } });
        },
      }),
});

/** Gives a permit's space back; a lot that is gone has nothing to give back to. */
export async function releaseSpace(store: Store, lotId: string, permitId: string, saga?: string): Promise<void> {
  try {
    await modifyStatus(store, Lot, lotId, (lot) => freeSpace(lot, permitId, saga));
  } catch (error) {
    if (!isProblem(error, 'not_found')) throw error;
  }
}

function duplicate(plate: string): Problem {
  return new Problem('conflict', `there is a permit for ${plate} in this lot already`);
}
