import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireReadMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { oneOf } from './common.ts';

const OrganizationSpec = Type.Object(
  {
    organizationType: oneOf(['adhoc', 'domain'], 'organizationType'),
    domain: Type.Optional(Type.String({ format: 'hostname', maxLength: fieldLimits.hostname, description: 'the mail domain whose users log in through the provider; needed by the type domain' })),
    providerScope: Type.Optional(oneOf(['global', 'organization'], 'providerScope')),
    providerID: Type.Optional(Type.String({ maxLength: fieldLimits.id })),
    googleCustomerID: Type.Optional(Type.String({ maxLength: fieldLimits.words })),
  },
  { $id: 'organizationSpec' },
);

export const OrganizationWrite = Type.Object({ metadata: WireWriteMetadata, spec: OrganizationSpec }, { $id: 'organizationWrite' });
export const OrganizationRead = Type.Object({ metadata: WireReadMetadata, spec: OrganizationSpec }, { $id: 'organizationRead' });
export const Organizations = Type.Array(OrganizationRead, { $id: 'organizations' });
export const OrganizationQuery = Type.Object({
  email: Type.Optional(Type.String({ maxLength: fieldLimits.subject, description: 'whose organizations; the caller by default' })),
  include: Type.Optional(Type.Unsafe<'platform'>({ type: 'string', enum: ['platform'], description: "also the platform's own organization, which is no tenant; for those who may read every organization" })),
});
