import { Type } from 'typebox';

import { allowsGlobal, demand } from '../access/index.ts';
import { stepStates, type StepProgress, type UnfinishedSaga } from '../saga/index.ts';
import { route, type Route } from './route.ts';

const SagaRead = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    state: Type.String({ description: 'whether it runs forwards or is being undone' }),
    step: Type.Optional(Type.String({ description: 'the current step' })),
    startedTime: Type.String({ format: 'date-time' }),
    attempts: Type.Integer({ minimum: 0, description: 'number of attempts of the step' }),
    nextAttemptTime: Type.Optional(Type.String({ format: 'date-time' })),
    message: Type.Optional(Type.String({ description: 'why the last attempt failed' })),
    holder: Type.String({ description: 'the process that runs it' }),
    steps: Type.Array(
      Type.Object({
        name: Type.String(),
        state: Type.Unsafe<StepProgress['state']>({
          type: 'string',
          enum: [...stepStates],
          description: 'done: it took effect; open: it may not have run yet; skipped: it never ran',
        }),
      }),
      { description: 'the steps in their order; empty if the process that answers does not know the saga' },
    ),
  },
  { $id: 'sagaRead' },
);

/** The operations that show stuck sagas to operators. */
export function sagaRoutes(list: () => Promise<readonly UnfinishedSaga[]>): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/sagas',
      operationId: 'listSagas',
      summary: 'List unfinished sagas',
      tags: ['Operations'],
      security: 'bearer',
      responses: { 200: Type.Array(SagaRead) },
      handler: async ({ acl }) => {
        demand(allowsGlobal(acl, 'core:sagas', 'read'), 'core:sagas', 'read');
        return { status: 200, body: await list() };
      },
    }),
  ];
}
