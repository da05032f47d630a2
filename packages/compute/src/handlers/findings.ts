import { Type } from 'typebox';

import { allowsGlobal, demand } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { route, type Route } from '@unikorn/core/http';

import { limits } from '../limits.ts';
import { standingFindings } from '../monitor/standing.ts';

const FindingsRead = Type.Object(
  {
    process: Type.String({ description: 'the process that answered' }),
    checkedTime: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'when the monitor of this process last checked; absent if the monitor runs in another process',
      }),
    ),
    total: Type.Integer({ minimum: 0, description: 'the list has at most 500 of them' }),
    findings: Type.Array(
      Type.Object({
        checker: Type.String({ description: 'the check that found the problem' }),
        id: Type.String({ description: 'the id of the instance, or of the object that has no instance' }),
        message: Type.String(),
      }),
    ),
  },
  { $id: 'findingsRead' },
);

/** The operation that shows the open problems of the monitor to operators. */
export function findingRoutes(): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/findings',
      operationId: 'listFindings',
      summary: 'List the open problems that the monitor found',
      tags: ['Operations'],
      security: 'bearer',
      responses: { 200: FindingsRead },
      handler: ({ acl, runtime: { telemetry, instance } }) => {
        demand(allowsGlobal(acl, 'core:sagas', 'read'), 'core:sagas', 'read');
        const { checkedTime, findings } = standingFindings(telemetry.registry);
        return {
          status: 200,
          body: {
            process: instance,
            ...defined({ checkedTime }),
            total: findings.length,
            findings: findings
              .slice(0, limits.findingsListed)
              .map(({ checker, id, message }) => ({ checker, id, message })),
          },
        };
      },
    }),
  ];
}
