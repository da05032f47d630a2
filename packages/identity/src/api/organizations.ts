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
        description: 'the mail domain whose users log in through the provider; required for the type domain',
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
  { domainVerified: Type.Boolean({ description: 'whether the organization has verified its domain' }) },
  { $id: 'organizationStatus' },
);
export const OrganizationRead = Type.Object(
  { metadata: WireReadMetadata, spec: OrganizationSpec, status: Type.Optional(OrganizationStatus) },
  { $id: 'organizationRead' },
);
export const Organizations = Type.Array(OrganizationRead, { $id: 'organizations' });
export const OrganizationQuery = Type.Object({
  email: Type.Optional(
    Type.String({
      maxLength: fieldLimits.subject,
      description: 'the user whose organizations are listed; the caller by default',
    }),
  ),
  include: Type.Optional(
    Type.Unsafe<'platform'>({
      type: 'string',
      enum: ['platform'],
      description:
        'also list the organization of the platform, which is not a tenant; only for callers who may read every organization',
    }),
  ),
});

/** The record that verifies the domain of an organization. */
export const DomainVerificationRead = Type.Object(
  {
    domain: Type.String(),
    verified: Type.Boolean(),
    record: Type.Object(
      { name: Type.String(), type: Type.String(), value: Type.String() },
      { description: 'the DNS record that verifies the domain; it can be removed afterwards' },
    ),
  },
  { $id: 'domainVerificationRead' },
);
