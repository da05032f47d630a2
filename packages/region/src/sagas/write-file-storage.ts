import { addReference, removeReference, type HoldDeps } from '@unikorn/core/references';
import { labels, referenceOf } from '@unikorn/core/resource';
import { defineSaga, putObject, storedSchema, takeObjectBack } from '@unikorn/core/saga';

import { FileStorage, Network } from '../kinds/index.ts';
import { charge, chargedInput, settleCharge, type ChargedDeps, type InputOf } from './charged.ts';
import { chargedFileStorage } from './charges.ts';

/** Creates or changes file storage and its charge, or neither. */
export const writeFileStorageSaga = defineSaga({
  name: 'region.fileStorage.write',
  input: chargedInput(FileStorage),
  onCrash: 'resume changes',
  steps: (table, deps: ChargedDeps & HoldDeps) =>
    table
      .step({
        name: 'charge',
        do: ({ input }) => charge(deps, chargedFileStorage, input, input.after.spec),
        undo: ({ input }) => settleCharge(deps, chargedFileStorage, input),
      })
      .step({
        // Once the response says that it is attached, the network cannot be deleted. A network in deletion is refused
        // here.
        name: 'hold',
        do: async ({ input, sagaId: claim }) => {
          const { labels: carried } = input.after;
          const holder = {
            reference: referenceOf(FileStorage, input.id),
            name: `file storage ${carried[labels.name] ?? input.id}`,
            claim,
          };
          await Promise.all(
            newlyAttached(input).map((name) => addReference(deps, Network, { name, labels: carried }, holder)),
          );
        },
        undo: async ({ input, sagaId }) => {
          await Promise.all(
            newlyAttached(input).map((name) =>
              removeReference(deps.store, Network, name, referenceOf(FileStorage, input.id), sagaId),
            ),
          );
        },
      })
      .step({
        name: 'put',
        returns: storedSchema(FileStorage),
        do: ({ input, sagaId }) => putObject(deps.store, FileStorage, input, sagaId),
        undo: ({ input, sagaId }) => takeObjectBack(deps.store, FileStorage, input, sagaId),
      }),
});

interface Attached {
  readonly spec: Pick<FileStorage['spec'], 'attachments'>;
}

/** Earlier attachments are held by the controller, also if the network no longer exists. */
function newlyAttached({
  before,
  after,
}: {
  readonly before?: Attached | undefined;
  readonly after: Attached;
}): readonly string[] {
  const already = new Set(networksOf(before?.spec));
  return networksOf(after.spec).filter((networkId) => !already.has(networkId));
}

function networksOf(spec: Attached['spec'] | undefined): readonly string[] {
  return (spec?.attachments ?? []).map(({ networkID }) => networkID);
}

export type WriteFileStorage = (
  input: InputOf<typeof writeFileStorageSaga>,
  sagaId?: string,
) => Promise<{ readonly put: FileStorage }>;
