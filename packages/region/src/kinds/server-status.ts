import { Type } from 'typebox';

import { provisioningStatuses } from '@unikorn/core/resource';

import { Ipv4, ObjectId } from './common.ts';

/** The phases of a machine. Servers and instances show them, and clients of the contract know them by these names. */
export const phases = ['Pending', 'Queued', 'Building', 'Running', 'Stopping', 'Stopped'] as const;
export type Phase = (typeof phases)[number];

/**
 * The intent to replace the root disk. It is written before the replacement, so that a crash cannot cause a second one.
 */
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
  /** When it first ran. A server that has run is never created again, unless it is lost. */
  provisionedAt: Type.Optional(Type.String({ maxLength: 64 })),
  providerCreateFailures: Type.Optional(Type.Integer({ minimum: 0 })),
  providerCreateRetrying: Type.Optional(Type.Boolean()),
  /** Since when the provider does not show it although it has run. A single observation is not sufficient proof. */
  missingSince: Type.Optional(Type.String()),
  /** When the monitor decided that it is lost, after enough plausible observations. Only then may it be recreated. */
  lostAt: Type.Optional(Type.String()),
  /** When the provider stopped showing the machine that this one replaces. The disk is lost since then. */
  diskLostAt: Type.Optional(Type.String()),
  /** When the reboot in progress was requested. */
  rebootingSince: Type.Optional(Type.String()),
  /** When the last completed reboot was requested. */
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
