import { Type } from 'typebox';

import { phases } from '@unikorn/region/client';

/** What a change of disk replaces, kept from when it begins until it is done. */
const Replacement = Type.Object({
  action: Type.Union([Type.Literal('rebuild'), Type.Literal('recreate')]),
  since: Type.String(),
  changes: Type.Array(
    Type.Object({ field: Type.String(), from: Type.Optional(Type.String()), to: Type.Optional(Type.String()) }),
  ),
});

/** Nothing here was found out by compute itself: it is what region says of the server. */
export const instanceStatus = {
  /** The server that realises the instance, once there is one. */
  serverId: Type.Optional(Type.String()),
  privateIp: Type.Optional(Type.String()),
  publicIp: Type.Optional(Type.String()),
  macAddress: Type.Optional(Type.String()),
  powerState: Type.Optional(Type.Enum([...phases])),
  /** When a reboot was asked for that is not over yet, and when the last was that is. */
  rebootingSince: Type.Optional(Type.String()),
  rebootedAt: Type.Optional(Type.String()),
  /** When region last told of the server. */
  observedAt: Type.Optional(Type.String()),
  replacement: Type.Optional(Replacement),
  /** What the last attempt failed at; absent while nothing fails. */
  heldUpBy: Type.Optional(Type.Enum(['region', 'machine', 'quota'])),
  /**
   * When the machine was lost that the present one was made in place of, without its disk; nobody had asked for that.
   */
  diskLostAt: Type.Optional(Type.String()),
};
