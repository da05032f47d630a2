import { Type } from 'typebox';

import { provisioningStatuses } from '@unikorn/core/resource';

import { Ipv4, ObjectId } from './common.ts';

/** The phases of a machine. Servers and instances show them, and clients of the contract know them by these names. */
export const phases = ['Pending', 'Queued', 'Building', 'Running', 'Stopping', 'Stopped'] as const;
export type Phase = (typeof phases)[number];

/** The intent to replace the root disk, written before it is done so that a crash cannot do it twice. */
const Rebuild = Type.Object({
  targetImageID: Type.String(),
  state: Type.Enum(['Initiated', 'Rebuilding', 'Succeeded', 'Failed']),
});

export const serverStatus = {
  phase: Type.Optional(Type.Enum([...phases])),
  privateIP: Type.Optional(Ipv4),
  publicIP: Type.Optional(Ipv4),
  macAddress: Type.Optional(Type.String()),
  scheduledAt: Type.Optional(Type.String()),
  launchedAt: Type.Optional(Type.String()),
  /** When it first ran. Whatever happens later, a server that once ran is never created anew. */
  provisionedAt: Type.Optional(Type.String({ maxLength: 64 })),
  providerCreateFailures: Type.Optional(Type.Integer({ minimum: 0 })),
  providerCreateRetrying: Type.Optional(Type.Boolean()),
  /** Since when the provider has not shown it, though it once ran; one look that sees nothing is no proof. */
  missingSince: Type.Optional(Type.String()),
  /**
   * When the monitor, after looking for long enough and with no reason to doubt what it saw, took it for lost. Only
   * then may it be made anew.
   */
  lostAt: Type.Optional(Type.String()),
  /** When the provider ceased to show the machine that this one was made in place of: its disk is lost since. */
  diskLostAt: Type.Optional(Type.String()),
  /** When a reboot was asked for that is not over yet. */
  rebootingSince: Type.Optional(Type.String()),
  /** When the last reboot was asked for that is over. */
  rebootedAt: Type.Optional(Type.String()),
  rebuild: Type.Optional(Rebuild),
  volumes: Type.Optional(
    Type.Array(
      Type.Object({
        id: ObjectId,
        provisioningStatus: Type.Enum([...provisioningStatuses]),
        device: Type.Optional(Type.String()),
        message: Type.Optional(Type.String()),
      }),
    ),
  ),
};
