import { Type, type TProperties } from 'typebox';

import { fieldLimits } from '../limits.ts';
import { availableReasons, wireHealthReasons } from './conditions.ts';
import { displayNamePattern } from './names.ts';
import { healthStatuses, provisioningStatuses } from './status.ts';

/** The contract's schemas of the metadata that every resource has on the wire. */

function oneOf<const Value extends string>(values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values] });
}

const time = Type.String({ format: 'date-time' });

/** `<plural>.<group>/<id>` of the user of a resource. */
export const WireReference = Type.String({
  maxLength: 253 + 1 + 63,
  pattern:
    '^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+/[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$',
  description: 'a reference such as servers.region.unikorn-cloud.org/4f1c2a9e-7c1f-4a3e-9d55-0b6f7f1d2c3a',
});

/** An identifier in a body. It has a pattern, because formats are not checked in bodies. */
export const WireId = Type.String({
  format: 'uuid',
  maxLength: fieldLimits.uuid,
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description: 'an identifier such as 4f1c2a9e-7c1f-4a3e-9d55-0b6f7f1d2c3a',
});

export const WireTag = Type.Object({ name: Type.String(), value: Type.String() }, { $id: 'tag' });

const WrittenTag = Type.Object(
  { name: Type.String({ maxLength: fieldLimits.tagName }), value: Type.String({ maxLength: fieldLimits.tagValue }) },
  { $id: 'tagWrite' },
);

const nameRule = {
  pattern: displayNamePattern,
  description:
    'a name of 1 to 63 letters, digits, hyphens, underscores and dots that begins and ends with a letter or digit',
};

const written = {
  name: Type.String({ ...nameRule, maxLength: fieldLimits.name }),
  description: Type.Optional(Type.String({ maxLength: fieldLimits.description })),
  tags: Type.Optional(Type.Array(WrittenTag, { maxItems: fieldLimits.tags })),
} satisfies TProperties;

/** Without the length limits of requests, so that data that was stored before the limits stays readable. */
const stored = {
  name: Type.String(nameRule),
  description: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(WireTag)),
  id: Type.String(),
  creationTime: time,
  createdBy: Type.Optional(Type.String()),
  modifiedTime: Type.Optional(time),
  modifiedBy: Type.Optional(Type.String()),
} satisfies TProperties;

const standing = {
  ...stored,
  deletionTime: Type.Optional(time),
  deletedBy: Type.Optional(Type.String({ description: 'who asked for the deletion' })),
  deletionCause: Type.Optional(
    Type.String({ description: 'the resource whose deletion caused this one, if it is another resource' }),
  ),
  provisioningStatus: oneOf(provisioningStatuses),
  provisioningStatusDetail: Type.Optional(Type.Object({ reason: oneOf(availableReasons), message: Type.String() })),
  healthStatus: oneOf(healthStatuses),
  healthStatusDetail: Type.Optional(Type.Object({ reason: oneOf(wireHealthReasons), message: Type.String() })),
} satisfies TProperties;

export const WireWriteMetadata = Type.Object(written, { $id: 'resourceWriteMetadata' });
/** The metadata that our services write for a user: there is room for their own tags besides the user's. */
export const WireServiceWriteMetadata = Type.Object({
  ...written,
  tags: Type.Optional(Type.Array(WrittenTag, { maxItems: fieldLimits.serviceTags })),
});
export const WireStaticMetadata = Type.Object(stored, { $id: 'staticResourceMetadata' });
export const WireReadMetadata = Type.Object(standing, { $id: 'resourceReadMetadata' });
export const WireOrganizationScopedMetadata = Type.Object(
  { ...standing, organizationId: Type.String() },
  { $id: 'organizationScopedResourceReadMetadata' },
);
export const WireProjectScopedMetadata = Type.Object(
  { ...standing, organizationId: Type.String(), projectId: Type.String() },
  { $id: 'projectScopedResourceReadMetadata' },
);
