import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireProjectScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { Port } from '../kinds/common.ts';
import { BodyId, namedList, oneOf } from './common.ts';

export const SecurityGroupRule = Type.Object(
  {
    direction: oneOf(['ingress', 'egress'], 'networkDirection'),
    protocol: oneOf(['any', 'icmp', 'tcp', 'udp', 'vrrp'], 'networkProtocol'),
    /** The port, or the first port of a range; all ports if absent. */
    port: Type.Optional(Port),
    /** The last port of a range. */
    portMax: Type.Optional(Port),
    prefix: Type.Optional(
      Type.String({
        maxLength: fieldLimits.prefix,
        description: 'an IPv4 prefix such as 10.0.0.0/24; any address if absent',
      }),
    ),
  },
  { $id: 'securityGroupRuleV2' },
);

const rules = namedList(SecurityGroupRule, fieldLimits.securityRules, 'securityGroupRuleV2List');

const SecurityGroupSpec = Type.Object({ rules }, { $id: 'securityGroupV2Spec' });
const SecurityGroupCreateSpec = Type.Object({ rules, networkId: BodyId }, { $id: 'securityGroupV2CreateSpec' });
const SecurityGroupStatus = Type.Object(
  { regionId: Type.String(), networkId: Type.String() },
  { $id: 'securityGroupV2Status' },
);

export const SecurityGroupCreate = Type.Object(
  { metadata: WireWriteMetadata, spec: SecurityGroupCreateSpec },
  { $id: 'securityGroupV2Create' },
);
export const SecurityGroupUpdate = Type.Object(
  { metadata: WireWriteMetadata, spec: SecurityGroupSpec },
  { $id: 'securityGroupV2Update' },
);
export const SecurityGroupRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: SecurityGroupSpec, status: SecurityGroupStatus },
  { $id: 'securityGroupV2Read' },
);
export const SecurityGroupsRead = Type.Array(SecurityGroupRead, { $id: 'securityGroupsV2Read' });
