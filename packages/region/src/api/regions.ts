import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireReadMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { KubernetesRegion } from '../kinds/region-kubernetes.ts';
import { OpenstackRegion } from '../kinds/region-openstack.ts';
import { SimulatedRegion } from '../kinds/region-simulated.ts';
import { checkStates } from '../provider/index.ts';
import { BodyId, oneOf } from './common.ts';
import { settings } from './settings.ts';

const RegionType = oneOf(['openstack', 'kubernetes', 'simulated'], 'regionType');
const RegionFeatures = Type.Object({ physicalNetworks: Type.Boolean() }, { $id: 'regionFeatures' });
const RegionSpec = Type.Object({ type: RegionType, features: RegionFeatures }, { $id: 'regionSpec' });

export const RegionRead = Type.Object({ metadata: WireReadMetadata, spec: RegionSpec }, { $id: 'regionRead' });
export const Regions = Type.Array(RegionRead, { $id: 'regions' });

const RegionDetailKubernetes = Type.Object(
  { kubeconfig: Type.String({ description: 'base64url without padding' }), domainName: Type.Optional(Type.String()) },
  { $id: 'regionDetailKubernetes' },
);
const RegionDetailSpec = Type.Object(
  { type: RegionType, features: RegionFeatures, kubernetes: Type.Optional(RegionDetailKubernetes) },
  { $id: 'regionDetailSpec' },
);

export const RegionDetailRead = Type.Object(
  { metadata: WireReadMetadata, spec: RegionDetailSpec },
  { $id: 'regionDetailRead' },
);

/** The settings of a region, written by platform administrators. The connection has the same form as in the store. */
const RegionWriteSpec = Type.Object(
  {
    type: RegionType,
    organizationIds: Type.Optional(
      Type.Array(BodyId, {
        maxItems: fieldLimits.organizations,
        description: 'if set, only these organizations can use the region',
      }),
    ),
    openstack: Type.Optional(settings(OpenstackRegion)),
    kubernetes: Type.Optional(settings(KubernetesRegion)),
    simulated: Type.Optional(settings(SimulatedRegion)),
  },
  // A misspelt setting must not make a private region public.
  { $id: 'regionWriteSpec', additionalProperties: false },
);

export const RegionWrite = Type.Object({ metadata: WireWriteMetadata, spec: RegionWriteSpec }, { $id: 'regionWrite' });

const RegionCheck = Type.Object(
  {
    name: Type.String({ description: 'what was tried' }),
    state: oneOf([...checkStates], 'regionCheckState'),
    message: Type.Optional(Type.String({ description: 'why it is not ok, in the words of the cloud' })),
    remedy: Type.Optional(Type.String({ description: 'how the operator of the cloud grants it' })),
  },
  { $id: 'regionCheck' },
);

/** Everything that a region needs from its cloud, and whether it has it. */
export const RegionChecks = Type.Array(RegionCheck, { $id: 'regionChecks' });

/** The settings of a region, for platform administrators. */
export const RegionSettings = Type.Object(
  { metadata: WireReadMetadata, spec: RegionWriteSpec },
  { $id: 'regionSettings' },
);
