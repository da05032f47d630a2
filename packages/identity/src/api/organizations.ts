import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireReadMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { oneOf } from './common.ts';

const OrganizationSpec = Type.Object(
  {
    organizationType: oneOf(['adhoc', 'domain'], 'organizationType'),
    domain: Type.Optional(
      Type.String({
        format: 'hostname',
        maxLength: fieldLimits.hostname,
        description: 'the mail domain whose users log in through the provider; needed by the type domain',
      }),
    ),
    providerScope: Type.Optional(oneOf(['global', 'organization'], 'providerScope')),
    providerID: Type.Optional(Type.String({ maxLength: fieldLimits.id })),
    googleCustomerID: Type.Optional(Type.String({ maxLength: fieldLimits.words })),
  },
  { $id: 'organizationSpec' },
);

export const OrganizationWrite = Type.Object(
  { metadata: WireWriteMetadata, spec: OrganizationSpec },
  { $id: 'organizationWrite' },
);
const OrganizationStatus = Type.Object(
  { domainVerified: Type.Boolean({ description: 'whether the organization has proved that it owns its domain' }) },
  { $id: 'organizationStatus' },
);
export const OrganizationRead = Type.Object(
  { metadata: WireReadMetadata, spec: OrganizationSpec, status: Type.Optional(OrganizationStatus) },
  { $id: 'organizationRead' },
);
export const Organizations = Type.Array(OrganizationRead, { $id: 'organizations' });
export const OrganizationQuery = Type.Object({
  email: Type.Optional(
    Type.String({ maxLength: fieldLimits.subject, description: 'whose organizations; the caller by default' }),
  ),
  include: Type.Optional(
    Type.Unsafe<'platform'>({
      type: 'string',
      enum: ['platform'],
      description:
        "also the platform's own organization, which is no tenant; for those who may read every organization",
    }),
  ),
});

/** What proves that an organization owns its domain. */
export const DomainVerificationRead = Type.Object(
  {
    domain: Type.String(),
    verified: Type.Boolean(),
    record: Type.Object(
      { name: Type.String(), type: Type.String(), value: Type.String() },
      { description: 'the DNS record that proves it; it can be removed afterwards' },
    ),
  },
  { $id: 'domainVerificationRead' },
);
