import { Type } from 'typebox';

import { phases } from '@unikorn/region/client';

/** The replacement of a disk or machine, kept from its beginning to its end. */
const Replacement = Type.Object({
  action: Type.Union([Type.Literal('rebuild'), Type.Literal('recreate')]),
  since: Type.String(),
  changes: Type.Array(
    Type.Object({ field: Type.String(), from: Type.Optional(Type.String()), to: Type.Optional(Type.String()) }),
  ),
});

/** Compute does not determine these values itself. They are region's description of the server. */
export const instanceStatus = {
  /** The server of the instance, once it exists. */
  serverId: Type.Optional(Type.String()),
  privateIp: Type.Optional(Type.String()),
  publicIp: Type.Optional(Type.String()),
  macAddress: Type.Optional(Type.String()),
  powerState: Type.Optional(Type.Enum([...phases])),
  /** When the reboot in progress was requested, and when the last completed reboot was requested. */
  rebootingSince: Type.Optional(Type.String()),
  rebootedAt: Type.Optional(Type.String()),
  /** When region last reported the state of the server. */
  observedAt: Type.Optional(Type.String()),
  replacement: Type.Optional(Replacement),
  /** The part that the last attempt failed at; absent if it did not fail. */
  heldUpBy: Type.Optional(Type.Enum(['region', 'machine', 'quota'])),
  /** When the machine and its disk were lost. The current machine was created automatically as a replacement. */
  diskLostAt: Type.Optional(Type.String()),
};
