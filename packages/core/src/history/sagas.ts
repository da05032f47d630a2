import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '../defined.ts';
import { annotations } from '../resource/index.ts';
import type { SagaListener } from '../saga/index.ts';
import { publicMessage, type History } from './history.ts';
import type { HistoryEvent } from './kinds.ts';

/**
 * The fields of a saga's input that say which object it writes, for whom, whether the object existed before, and who
 * changes it.
 */
const subject = Compile(
  Type.Object({
    id: Type.String(),
    principal: Type.Object({ actor: Type.Optional(Type.String()) }),
    before: Type.Optional(Type.Unknown()),
    after: Type.Object({ annotations: Type.Record(Type.String(), Type.String()) }),
  }),
);

/**
 * Records the steps of sagas, and their outcome, in the histories of the objects that they write.
 *
 * @example sagaRecorder({ 'region.network.create': histories.networks })
 */
export function sagaRecorder(histories: Readonly<Record<string, History>>): SagaListener {
  return ({ saga, input, step, happened, error }) => {
    const history = histories[saga];
    if (!history || !subject.Check(input)) return;
    const { id, principal, before, after } = input;
    // If the process ends in between, the next process finishes the change. The annotation names the caller.
    const modifier = after.annotations[annotations.principalModifier] ?? after.annotations[annotations.modifier];
    const actor = before === undefined ? principal.actor : (modifier ?? principal.actor);
    const event: HistoryEvent = {
      type: 'saga',
      action: step,
      outcome: happened,
      ...defined({ actor, message: error && publicMessage(error) }),
    };
    if (before === undefined) history.recordBeforeCreation(id, event);
    else history.record(id, event);
  };
}
