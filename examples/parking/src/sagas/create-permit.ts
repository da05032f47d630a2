import { Type } from 'typebox';

import { isProblem, Problem } from '@unikorn/core/errors';
import type { WritableMetadata } from '@unikorn/core/kinds';
import { defineSaga } from '@unikorn/core/saga';
import { modifyStatus, type Store } from '@unikorn/core/store';

import { Lot, Permit } from '../kinds/index.ts';
import { freeSpace, takeSpace } from './spaces.ts';

/** The run that stored a permit, so that only that run removes it. */
const sagaAnnotation = 'parking.example.unikorn-cloud.org/saga-id';

export interface CreatePermitDeps {
  readonly store: Store;
}

/** First a space, then the permit: a full lot, or a plate that already has a permit, leaves nothing behind. */
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

/** Releases a permit's space. Nothing needs to be done if the lot no longer exists. */
export async function releaseSpace(store: Store, lotId: string, permitId: string, saga?: string): Promise<void> {
  try {
    await modifyStatus(store, Lot, lotId, (lot) => freeSpace(lot, permitId, saga));
  } catch (error) {
    if (!isProblem(error, 'not_found')) throw error;
  }
}

function duplicate(plate: string): Problem {
  return new Problem('conflict', `this lot already has a permit for ${plate}`);
}
