import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import type { SagaListener } from '@unikorn/core/saga';

import { toldOf, type Happening, type History } from './history.ts';

/** The part of a saga's input that says which instance it writes, for whom, and whether it was there before. */
const subject = Compile(Type.Object({ id: Type.String(), principal: Type.Object({ actor: Type.Optional(Type.String()) }), before: Type.Optional(Type.Unknown()) }));

/** Notes what the steps of the sagas about instances came to. */
export function sagaRecorder(history: History): SagaListener {
  return ({ input, step, happened, error }) => {
    if (!subject.Check(input)) return;
    const { id, principal: { actor }, before } = input;
    const note: Happening = { type: 'saga', action: step, outcome: happened, ...(actor === undefined ? {} : { actor }), ...(error ? { message: toldOf(error) } : {}) };
    if (before === undefined) history.recordUnborn(id, note);
    else history.record(id, note);
  };
}
