import { Type, type TSchema } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';

import type { Knobs } from '../providers/simulated/index.ts';
import { BodyId } from './common.ts';

const day_ms = 24 * 60 * 60 * 1000;

const Duration = (description: string, maximum = day_ms) => Type.Integer({ minimum: 0, maximum, description });
const Rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000_000, description });

/** Everything about a simulated region that can be turned while it runs. */
const knobs = {
  call_ms: Duration('how long each call takes to be answered, in milliseconds', 60_000),
  build_ms: Duration('how long a server takes to be built or rebuilt'),
  power_ms: Duration('how long a server takes to start, stop or reboot'),
  delete_ms: Duration('how long a server takes to be deleted'),
  image_ms: Duration('how long the data of an image takes to arrive'),
  loadBalancer_ms: Duration('how long a change of a load balancer takes'),
  fileStorage_ms: Duration('how long a change of a file storage takes'),
  errorRate: Rate('calls that fail before anything happened'),
  lostResponseRate: Rate('calls that do what they were asked and then fail all the same'),
  notFoundRate: Rate('looks that see nothing of what is there'),
  buildFailureRate: Rate('servers that end in error instead of running'),
  service: Type.Union([Type.Literal('up'), Type.Literal('down')], { description: 'down: every call fails' }),
  serversPerIdentity: Count('how many servers the cloud allows on each network'),
  fileStorage_gib: Count('how much file storage there is room for altogether'),
  places: Type.Record(Type.String(), Count('servers there is room for'), {
    maxProperties: fieldLimits.flavors,
    propertyNames: { maxLength: fieldLimits.id },
    description: 'by flavor id, where it is not what the catalogue says',
  }),
} satisfies Record<keyof Knobs, TSchema>;

export const SimulationRead = Type.Object(knobs, { $id: 'simulationRead' });

/** Those that are given are turned, the others stay. */
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
      description: 'stopped and failed happen to servers only',
    }),
  },
  { additionalProperties: false, $id: 'simulationDrift' },
);
