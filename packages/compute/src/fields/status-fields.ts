import type { Static } from 'typebox';

import type { DeepReadonly, StatusOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { ServerRead } from '@unikorn/region/client';

import type { InstanceRead } from '../api/instances.ts';
import type { ComputeInstance, instanceStatus } from '../kinds/index.ts';
import type { NamesWith, PathWith } from './paths.ts';

type WireStatus = DeepReadonly<Static<typeof InstanceRead>>['status'];
type StatusName = keyof typeof instanceStatus;
type Value<Name extends StatusName> = NonNullable<StatusOf<typeof ComputeInstance>[Name]>;

/** Whether the shown value is kept. */
export type WhenMissing = 'keep' | 'clear';

interface StatusField<Name extends StatusName> {
  /** Its name in the wire status. `none`: clients do not see it. */
  readonly wire: NamesWith<WireStatus, Value<Name>> | 'none';
  /** How it is derived from the server. `none`: the instance controller sets it. */
  readonly server: 'none' | ObservedField<Name>;
}

/** The part of a server that the status of an instance shows. */
export type ObservedServer = Pick<ServerRead, 'metadata' | 'status'>;

interface ObservedField<Name extends StatusName> {
  /** How operators read of it when the instance shows another value than the server. */
  readonly words: string;
  /** Its path in the server that region returns. */
  readonly observed: PathWith<ObservedServer, Value<Name>>;
  /** How the shown value changes if the server has none, or if there is no server. */
  readonly missing: (server: ObservedServer | undefined) => WhenMissing;
}

const keep = (): WhenMissing => 'keep';
const clear = (): WhenMissing => 'clear';

export type StatusFields = { readonly [Name in StatusName]: StatusField<Name> };

/**
 * The fields of an instance's status, by their stored name. The presentation and the values that are copied from the
 * server are derived from this table. A field of the stored or the wire status without a row does not compile.
 */
export const statusFields = {
  serverId: { wire: 'none', server: { words: 'the id of the server', observed: 'metadata.id', missing: keep } },
  powerState: {
    wire: 'powerState',
    server: {
      words: 'the power state',
      observed: 'status.powerState',
      // Region cannot always determine the phase; then the last one is kept. A pending server is a new machine, and the
      // last phase was that of the old machine.
      missing: (server) => (server && server.metadata.provisioningStatus !== 'pending' ? 'keep' : 'clear'),
    },
  },
  // The next machine requests the same address, and clients compare it.
  privateIp: {
    wire: 'privateIP',
    server: { words: 'the private address', observed: 'status.privateIP', missing: keep },
  },
  publicIp: {
    wire: 'publicIP',
    server: { words: 'the public address', observed: 'status.publicIP', missing: clear },
  },
  macAddress: {
    wire: 'macAddress',
    server: { words: 'the MAC address', observed: 'status.macAddress', missing: clear },
  },
  rebootingSince: {
    wire: 'rebootingSince',
    server: { words: 'the reboot in progress', observed: 'status.rebootingSince', missing: clear },
  },
  rebootedAt: {
    wire: 'rebootedAt',
    server: { words: 'the last reboot', observed: 'status.rebootedAt', missing: keep },
  },
  observedAt: { wire: 'observedAt', server: 'none' },
  replacement: { wire: 'replacement', server: 'none' },
  diskLostAt: {
    wire: 'diskLostAt',
    server: { words: 'the loss of the disk', observed: 'status.diskLostAt', missing: keep },
  },
  heldUpBy: { wire: 'none', server: 'none' },
} as const satisfies StatusFields;

type Shown = (typeof statusFields)[StatusName]['wire'];

export type LabelFields = { readonly [Name in Exclude<keyof WireStatus, Shown>]: string };

/** The fields of the wire status that are labels of the stored instance. */
export const labelFields = { regionId: labels.region, networkId: labels.network } as const satisfies LabelFields;
