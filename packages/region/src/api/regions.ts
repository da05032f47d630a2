import { Type } from 'typebox';

import { WireReadMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { listLimits, Region } from '../kinds/index.ts';
import { BodyId, oneOf } from './common.ts';

const RegionType = oneOf(['openstack', 'kubernetes', 'simulated'], 'regionType');
const RegionFeatures = Type.Object({ physicalNetworks: Type.Boolean() }, { $id: 'regionFeatures' });
const RegionSpec = Type.Object({ type: RegionType, features: RegionFeatures }, { $id: 'regionSpec' });

export const RegionRead = Type.Object({ metadata: WireReadMetadata, spec: RegionSpec }, { $id: 'regionRead' });
export const Regions = Type.Array(RegionRead, { $id: 'regions' });

const RegionDetailKubernetes = Type.Object(
  { kubeconfig: Type.String({ description: 'base64url without padding' }), domainName: Type.Optional(Type.String()) },
  { $id: 'regionDetailKubernetes' },
);
const RegionDetailSpec = Type.Object({ type: RegionType, features: RegionFeatures, kubernetes: Type.Optional(RegionDetailKubernetes) }, { $id: 'regionDetailSpec' });

export const RegionDetailRead = Type.Object({ metadata: WireReadMetadata, spec: RegionDetailSpec }, { $id: 'regionDetailRead' });

/** What those who operate the platform say about a region; how it is reached is written as it is stored. */
const RegionWriteSpec = Type.Object(
  {
    type: RegionType,
    organizationIds: Type.Optional(Type.Array(BodyId, { maxItems: listLimits.organizations, description: 'with organizations the region is theirs alone' })),
    openstack: Region.spec.properties.openstack,
    kubernetes: Region.spec.properties.kubernetes,
    simulated: Region.spec.properties.simulated,
  },
  // A setting that is misspelt must not make a private region public.
  { $id: 'regionWriteSpec', additionalProperties: false },
);

export const RegionWrite = Type.Object({ metadata: WireWriteMetadata, spec: RegionWriteSpec }, { $id: 'regionWrite' });

/** What was said of a region, to those who may say it. */
export const RegionSettings = Type.Object({ metadata: WireReadMetadata, spec: RegionWriteSpec }, { $id: 'regionSettings' });
