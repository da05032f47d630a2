import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '@unikorn/core/defined';
import { annotations } from '@unikorn/core/resource';
import type { SagaListener } from '@unikorn/core/saga';

import { toldOf, type Happening, type History } from './history.ts';

/** The part of a saga's input that says which instance it writes, for whom, whether it was there before, and who changes it then. */
const subject = Compile(
  Type.Object({
    id: Type.String(),
    principal: Type.Object({ actor: Type.Optional(Type.String()) }),
    before: Type.Optional(Type.Unknown()),
    after: Type.Object({ annotations: Type.Record(Type.String(), Type.String()) }),
  }),
);

/** Notes what the steps of the sagas about instances came to. */
export function sagaRecorder(history: History): SagaListener {
  return ({ input, step, happened, error }) => {
    if (!subject.Check(input)) return;
    const { id, principal, before, after } = input;
    // A process that ends in between may leave nobody but its successor, which finishes the change, to say who asked for it.
    const modifier = after.annotations[annotations.principalModifier] ?? after.annotations[annotations.modifier];
    const actor = before === undefined ? principal.actor : (modifier ?? principal.actor);
    const note: Happening = {
      type: 'saga',
      action: step,
      outcome: happened,
      ...defined({ actor }),
      ...(error ? { message: toldOf(error) } : {}),
    };
    if (before === undefined) history.recordUnborn(id, note);
    else history.record(id, note);
  };
}
