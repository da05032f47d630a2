import { Type, type TSchema } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';

import type { Knobs } from '../providers/simulated/index.ts';
import { BodyId } from './common.ts';

const day_ms = 24 * 60 * 60 * 1000;

const Duration = (description: string, maximum = day_ms) => Type.Integer({ minimum: 0, maximum, description });
const Rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000_000, description });

/** All settings of a simulated region that can be changed while it runs. */
const knobs = {
  call_ms: Duration('response time of each call, in milliseconds', 60_000),
  build_ms: Duration('time to build or rebuild a server, in milliseconds'),
  power_ms: Duration('time to start, stop or reboot a server, in milliseconds'),
  delete_ms: Duration('time to delete a server, in milliseconds'),
  image_ms: Duration('time to import the data of an image, in milliseconds'),
  loadBalancer_ms: Duration('time to change a load balancer, in milliseconds'),
  fileStorage_ms: Duration('time to change a file storage, in milliseconds'),
  errorRate: Rate('share of calls that fail before they change anything'),
  lostResponseRate: Rate('share of calls that take effect but return an error'),
  notFoundRate: Rate('share of read calls that return nothing although the object exists'),
  buildFailureRate: Rate('share of servers that end in error instead of running'),
  service: Type.Union([Type.Literal('up'), Type.Literal('down')], { description: 'down: every call fails' }),
  serversPerIdentity: Count('maximum number of servers on each network'),
  fileStorage_gib: Count('total capacity for file storage, in GiB'),
  places: Type.Record(Type.String(), Count('capacity for servers of the flavor'), {
    maxProperties: fieldLimits.flavors,
    propertyNames: { maxLength: fieldLimits.id },
    description: 'capacity by flavor id, where it differs from the catalogue',
  }),
} satisfies Record<keyof Knobs, TSchema>;

export const SimulationRead = Type.Object(knobs, { $id: 'simulationRead' });

/** Given settings are changed, the others stay. */
export const SimulationWrite = Type.Partial(Type.Object(knobs), {
  additionalProperties: false,
  minProperties: 1,
  $id: 'simulationWrite',
});

export const SimulationDrift = Type.Object(
  {
    kind: Type.Union([
      Type.Literal('server'),
      Type.Literal('network'),
      Type.Literal('securityGroup'),
      Type.Literal('loadBalancer'),
    ]),
    id: BodyId,
    drift: Type.Union([Type.Literal('deleted'), Type.Literal('stopped'), Type.Literal('failed')], {
      description: 'stopped and failed are for servers only',
    }),
  },
  { additionalProperties: false, $id: 'simulationDrift' },
);
