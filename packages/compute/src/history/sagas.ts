import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import type { SagaListener } from '@unikorn/core/saga';

import { toldOf, type History } from './history.ts';

/** The part of a saga's input that says which instance it writes, and for whom. */
const subject = Compile(Type.Object({ id: Type.String(), principal: Type.Object({ actor: Type.Optional(Type.String()) }) }));

/** Notes what the steps of the sagas about instances came to. */
export function sagaRecorder(history: History): SagaListener {
  return ({ input, step, happened, error }) => {
    if (!subject.Check(input)) return;
    const { actor } = input.principal;
    history.record(input.id, { type: 'saga', action: step, outcome: happened, ...(actor === undefined ? {} : { actor }), ...(error ? { message: toldOf(error) } : {}) });
  };
}
