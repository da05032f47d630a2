import type { Static } from 'typebox';

import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';
import type { RegionClient, ServerRead } from '@unikorn/region/client';

import type { InstanceCreate, InstanceRead } from '../api/instances.ts';
import type { ComputeInstance } from '../kinds/index.ts';
import { canonicalData, canonicalPrefix } from './canonical.ts';
import { effectOf, publicAddress, type Effect } from './disruption.ts';
import type { PathOf, PathWith, ValueAt } from './paths.ts';

type Spec = SpecOf<typeof ComputeInstance>;
type Create = DeepReadonly<Static<typeof InstanceCreate>>;
type Read = DeepReadonly<Static<typeof InstanceRead>>;
type NewServer = Parameters<RegionClient['createServer']>[1];

/** These fields are the scope of an instance. They are set at creation, stored as labels, and never change. */
type Placement = 'organizationId' | 'projectId' | 'networkId';

/** The fields of an instance that a request can set. Name and description are metadata like those of any resource. */
export type WirePath = `spec.${Exclude<PathOf<Create['spec']> | PathOf<Read['spec']>, Placement>}` | 'metadata.tags';
type Value<Path extends WirePath> = ValueAt<Create, Path>;

/** A field of an instance that a request can set. */
interface SpecField<Path extends WirePath> {
  /** Its path in the stored spec. */
  readonly stored: PathWith<Spec, Value<Path>>;
  /** An update that leaves the field out keeps the stored value, clears it, or is refused by the wire schema. */
  readonly leftOut: 'keeps' | 'clears' | 'refused';
  /** Changes the value before it is stored. */
  readonly store?: (value: Value<Path> | undefined) => Value<Path> | undefined;
  /** Converts values with the same meaning to one form. Comparisons and the plan token use it. */
  readonly canonical?: (value: Value<Path> | undefined) => Value<Path> | undefined;
  /**
   * The meaning of an absent value. Comparisons use it. The plan token does not: clients read back whether they sent
   * the field.
   */
  readonly unset?: Value<Path>;
  /** How it is sent to the server. `none`: it is only stored in the instance. */
  readonly server: 'none' | ServerField<Path>;
}

interface ServerField<Path extends WirePath> {
  /** Its path in a request to region. */
  readonly wanted: PathWith<NewServer['spec'], Value<Path>>;
  /** Region accepts it with every write of the server, or only at creation. */
  readonly sent: 'always' | 'at creation';
  /** Its path in the server that region returns. */
  readonly observed: PathWith<ServerRead, Value<Path>>;
  /** The effect of a change on the server. */
  readonly change: Effect;
  /** Additional losses that depend on the values. */
  readonly givesUp?: (wanted: Value<Path> | undefined) => readonly string[];
}

export type SpecFields = { readonly [Path in WirePath]: SpecField<Path> };

/**
 * The fields of an instance, by their path on the wire. The stored spec, the presentation, the detection of changes,
 * the plan, its token and the request to region are all derived from this table. To add a field, add it to the wire
 * schema and to the stored kind, and add a row here. Without the row the project does not compile.
 */
export const specFields = {
  'metadata.tags': { stored: 'tags', leftOut: 'clears', canonical: (tags = []) => tags, server: 'none' },
  'spec.flavorId': {
    stored: 'flavorId',
    leftOut: 'refused',
    server: { wanted: 'flavorId', sent: 'always', observed: 'spec.flavorId', change: effectOf.recreate },
  },
  'spec.imageId': {
    stored: 'imageId',
    leftOut: 'refused',
    server: { wanted: 'imageId', sent: 'always', observed: 'spec.imageId', change: effectOf.rebuild },
  },
  'spec.networking.publicIP': {
    stored: 'networking.publicIp',
    leftOut: 'clears',
    unset: false,
    server: {
      wanted: 'networking.publicIP',
      sent: 'always',
      observed: 'spec.networking.publicIP',
      change: effectOf['in-place'],
      givesUp: (isWanted) => (isWanted ? [] : [publicAddress]),
    },
  },
  'spec.networking.securityGroups': {
    stored: 'networking.securityGroupIDs',
    leftOut: 'clears',
    canonical: (ids = []) => ids,
    server: {
      wanted: 'networking.securityGroups',
      sent: 'always',
      observed: 'spec.networking.securityGroups',
      change: effectOf['in-place'],
    },
  },
  'spec.networking.allowedSourceAddresses': {
    stored: 'networking.allowedSourceAddresses',
    leftOut: 'clears',
    canonical: (prefixes = []) => prefixes.map(canonicalPrefix),
    server: {
      wanted: 'networking.allowedSourceAddresses',
      sent: 'always',
      observed: 'spec.networking.allowedSourceAddresses',
      change: effectOf['in-place'],
    },
  },
  'spec.sshCertificateAuthorityId': {
    stored: 'sshCertificateAuthorityId',
    leftOut: 'clears',
    server: {
      wanted: 'sshCertificateAuthorityId',
      sent: 'at creation',
      observed: 'status.sshCertificateAuthorityId',
      change: effectOf.recreate,
    },
  },
  'spec.userData': {
    stored: 'userData',
    leftOut: 'clears',
    store: (data) => data || undefined,
    canonical: canonicalData,
    // Region keeps it for the next creation of the server. A guest reads it only at its first boot.
    server: { wanted: 'userData', sent: 'always', observed: 'spec.userData', change: effectOf['in-place'] },
  },
  // Clients of the original contract do not know the next two fields. Their updates must not clear them.
  'spec.deletionProtection': { stored: 'deletionProtection', leftOut: 'keeps', unset: false, server: 'none' },
  'spec.afterRebuild': { stored: 'afterRebuild', leftOut: 'keeps', unset: 'start', server: 'none' },
} as const satisfies SpecFields;

type Requested = (typeof specFields)[WirePath]['stored'];

export type OperatorFields = { readonly [Path in Exclude<PathOf<Spec>, Requested>]: 'keeps' };

/** The fields of the stored spec that no request can set. Operators set them in the store, and updates keep them. */
export const operatorFields = { pause: 'keeps' } as const satisfies OperatorFields;

/** The fields that are sent to the server. */
export type ServerPath = {
  [Path in WirePath]: (typeof specFields)[Path]['server'] extends 'none' ? never : Path;
}[WirePath];

/** The type of a field in a comparison: a field with an `unset` value always has a value there. */
export type ComparedValue<Path extends WirePath> = (typeof specFields)[Path] extends { readonly unset: unknown }
  ? Value<Path>
  : Value<Path> | undefined;
