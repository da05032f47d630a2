import { Type } from 'typebox';

import { allowsGlobal, demand } from '../access/index.ts';
import { controllerStates } from '../controller/metrics.ts';
import { route, type Route } from './route.ts';

const Count = Type.Integer({ minimum: 0 });

const ControllersRead = Type.Object(
  {
    process: Type.String({
      description: 'the process that answered; controllers of other processes are not in the list',
    }),
    controllers: Type.Array(
      Type.Object({
        name: Type.String(),
        queued: Type.Record(Type.String(), Count, { description: 'objects in the queue, by priority' }),
        delayed: Type.Integer({ minimum: 0, description: 'objects that wait for a later time' }),
        running: Type.Integer({ minimum: 0, description: 'objects that are processed now' }),
        retrying: Type.Integer({ minimum: 0, description: 'objects whose last attempt failed' }),
        parked: Type.Integer({ minimum: 0, description: 'objects that are not retried until they are changed' }),
        oldestQueuedSeconds: Type.Number({ minimum: 0, description: 'waiting time of the oldest object in the queue' }),
      }),
    ),
  },
  { $id: 'controllersRead' },
);

/** The operation that shows the work of the controllers of this process to operators. */
export function controllerRoutes(): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/controllers',
      operationId: 'listControllers',
      summary: 'List the controllers of the process that answers, and their work',
      tags: ['Operations'],
      security: 'bearer',
      responses: { 200: ControllersRead },
      handler: ({ acl, runtime }) => {
        demand(allowsGlobal(acl, 'core:sagas', 'read'), 'core:sagas', 'read');
        const { telemetry, instance } = runtime;
        return { status: 200, body: { process: instance, controllers: controllerStates(telemetry.registry) } };
      },
    }),
  ];
}
