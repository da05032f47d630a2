import { Type } from 'typebox';

import { Problem } from '@unikorn/core/errors';
import { defineSaga, putObject, stateSchema, storedSchema, takeObjectBack } from '@unikorn/core/saga';
import { childOf } from '@unikorn/core/resource';

import { Identity, Network } from '../kinds/index.ts';
import { charge, chargedInput, settleCharge, type ChargedDeps, type InputOf } from './charged.ts';
import { chargedNetwork } from './charges.ts';

const identityTransition = Type.Object({ id: Type.String(), after: stateSchema(Identity.spec) });

/** Creates a network, its principal and its charge, or none of them. */
export const createNetworkSaga = defineSaga({
  name: 'region.network.create',
  input: Type.Object({ ...chargedInput(Network).properties, identity: identityTransition }),
  onCrash: 'unwind',
  steps: (table, deps: ChargedDeps) =>
    table
      .step({
        name: 'charge',
        do: ({ input }) => charge(deps, chargedNetwork, input, input.after.spec),
        undo: ({ input }) => settleCharge(deps, chargedNetwork, input),
      })
      .step({
        name: 'putIdentity',
        do: async ({ input, sagaId }) => {
          await putObject(deps.store, Identity, input.identity, sagaId);
        },
        undo: ({ input, sagaId }) => takeObjectBack(deps.store, Identity, input.identity, sagaId),
      })
      .step({
        name: 'putNetwork',
        returns: storedSchema(Network),
        do: async ({ input, sagaId }) => {
          const principal = await deps.store.get(Identity, input.identity.id);
          // Only the deletion of the project removes it.
          if (principal?.metadata.deletionTimestamp !== undefined || !principal)
            throw new Problem('unprocessable_content', `project ${input.scope.projectId} is being deleted`);
          return putObject(deps.store, Network, { ...input, owner: childOf(principal) }, sagaId);
        },
        undo: ({ input, sagaId }) => takeObjectBack(deps.store, Network, input, sagaId),
      }),
});

export type CreateNetwork = (
  input: InputOf<typeof createNetworkSaga>,
  sagaId?: string,
) => Promise<{ readonly putNetwork: Network }>;
