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

/** These say where an instance is. They are chosen at creation, kept as labels, and never change. */
type Placement = 'organizationId' | 'projectId' | 'networkId';

/** The fields of an instance that a request can set. Name and description are metadata like those of any resource. */
export type WirePath = `spec.${Exclude<PathOf<Create['spec']> | PathOf<Read['spec']>, Placement>}` | 'metadata.tags';
type Value<Path extends WirePath> = ValueAt<Create, Path>;

/** A field of an instance that a request can set. */
interface SpecField<Path extends WirePath> {
  /** Where the stored spec has it. */
  readonly stored: PathWith<Spec, Value<Path>>;
  /** An update that leaves the field out keeps the stored value, clears it, or is refused by the wire schema. */
  readonly leftOut: 'keeps' | 'clears' | 'refused';
  /** Changes the value before it is stored. */
  readonly store?: (value: Value<Path> | undefined) => Value<Path> | undefined;
  /** Gives values that mean the same one form. Comparisons and the plan token use it. */
  readonly canonical?: (value: Value<Path> | undefined) => Value<Path> | undefined;
  /**
   * What an absent value means. Comparisons use it. The plan token does not: clients read back whether they sent the
   * field.
   */
  readonly unset?: Value<Path>;
  /** How the server gets it. `none`: only the record of the instance has it. */
  readonly server: 'none' | ServerField<Path>;
}

interface ServerField<Path extends WirePath> {
  /** Where a request to region has it. */
  readonly wanted: PathWith<NewServer['spec'], Value<Path>>;
  /** Region takes it whenever the server is written, or at creation only. */
  readonly sent: 'always' | 'at creation';
  /** Where the server that region shows has it. */
  readonly observed: PathWith<ServerRead, Value<Path>>;
  /** What a change does to the server. */
  readonly change: Effect;
  /** What is lost besides, for one value and not for another. */
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
    // Region keeps it for the next time that the server is created. A guest reads it at its first boot only.
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

/** The fields that the server gets. */
export type ServerPath = {
  [Path in WirePath]: (typeof specFields)[Path]['server'] extends 'none' ? never : Path;
}[WirePath];

/** The type of a field in a comparison: a field with an `unset` value always has a value there. */
export type ComparedValue<Path extends WirePath> = (typeof specFields)[Path] extends { readonly unset: unknown }
  ? Value<Path>
  : Value<Path> | undefined;
