import { Type, type Static, type TObject } from 'typebox';

import { OwnerReference, type DeepReadonly } from '@unikorn/core/kinds';
import { defineSaga, putObject, stateSchema, takeObjectBack } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';

import type { Member } from '../access/index.ts';
import { OrganizationUser, ServiceAccount } from '../kinds/index.ts';
import { GroupMoves, makeMoves, planMoves, takeMovesBack } from './groups.ts';

export interface WriteMemberDeps {
  readonly store: Store;
}

/** The input for writing a member; `groups` is the complete list of its groups. */
function memberInput<Spec extends TObject>(spec: Spec) {
  const state = stateSchema(spec);
  return Type.Object({
    id: Type.String(),
    organizationId: Type.String(),
    /** Required for a new member. */
    owner: Type.Optional(OwnerReference),
    before: Type.Optional(Type.Object({ ...state.properties, resourceVersion: Type.String() })),
    after: state,
    groupIDs: Type.Array(Type.String()),
    /** The groups in which the writer saw the member. Groups that changed since then stay as they are. */
    seenGroupIDs: Type.Optional(Type.Array(Type.String())),
  });
}

const UserInput = memberInput(OrganizationUser.spec);
const AccountInput = memberInput(ServiceAccount.spec);

function user({ after }: DeepReadonly<Static<typeof UserInput>>): Member {
  return { type: 'user', subject: after.spec.subject };
}

function account({ id }: DeepReadonly<Static<typeof AccountInput>>): Member {
  return { type: 'serviceAccount', id };
}

/**
 * A user of an organization and their groups, or neither. The changes of groups are recorded before they are made,
 * because only the record shows afterwards which of them this run made.
 */
export const writeUserSaga = defineSaga({
  name: 'identity.user.write',
  input: UserInput,
  onCrash: 'unwind',
  steps: (table, { store }: WriteMemberDeps) =>
    table
      .step({
        name: 'putMembership',
        do: async ({ input, sagaId }) => {
          await putObject(store, OrganizationUser, input, sagaId);
        },
        undo: ({ input, sagaId }) => takeObjectBack(store, OrganizationUser, input, sagaId),
      })
      .step({
        name: 'planMoves',
        returns: GroupMoves,
        do: ({ input }) => planMoves(store, input.organizationId, user(input), input.groupIDs, input.seenGroupIDs),
        noUndo: 'it only reads',
      })
      .step({
        name: 'makeMoves',
        do: ({ input, outputs }) => makeMoves(store, user(input), outputs.planMoves),
        undo: ({ input, outputs }) => takeMovesBack(store, user(input), outputs.planMoves),
      }),
});

/** A service account and its groups, or neither. */
export const writeServiceAccountSaga = defineSaga({
  name: 'identity.serviceAccount.write',
  input: AccountInput,
  onCrash: 'unwind',
  steps: (table, { store }: WriteMemberDeps) =>
    table
      .step({
        name: 'putAccount',
        do: async ({ input, sagaId }) => {
          await putObject(store, ServiceAccount, input, sagaId);
        },
        undo: ({ input, sagaId }) => takeObjectBack(store, ServiceAccount, input, sagaId),
      })
      .step({
        name: 'planMoves',
        returns: GroupMoves,
        do: ({ input }) => planMoves(store, input.organizationId, account(input), input.groupIDs, input.seenGroupIDs),
        noUndo: 'it only reads',
      })
      .step({
        name: 'makeMoves',
        do: ({ input, outputs }) => makeMoves(store, account(input), outputs.planMoves),
        undo: ({ input, outputs }) => takeMovesBack(store, account(input), outputs.planMoves),
      }),
});

/**
 * Removes a member from every group. Done before the member is deleted: a crash in between leaves a member with fewer
 * permissions, and a repeated request completes the deletion.
 */
export async function leaveAllGroups(store: Store, organizationId: string, member: Member): Promise<void> {
  await makeMoves(store, member, await planMoves(store, organizationId, member, []));
}

export type WriteUser = (input: DeepReadonly<Static<typeof UserInput>>) => Promise<unknown>;
export type WriteServiceAccount = (input: DeepReadonly<Static<typeof AccountInput>>) => Promise<unknown>;
