import { Type } from 'typebox';

import { SearchFilter } from '@unikorn/core/http';
import { fieldLimits } from '@unikorn/core/limits';

const id = Type.String({ format: 'uuid' });

export const OrganizationPath = Type.Object({ organizationID: id });
export const ProjectPath = Type.Object({ organizationID: id, projectID: id });
export const GroupPath = Type.Object({ organizationID: id, groupid: id });
export const UserPath = Type.Object({ organizationID: id, userID: id });
export const ServiceAccountPath = Type.Object({ organizationID: id, serviceAccountID: id });

/** The query of a list without other filters. */
export const SearchQuery = Type.Object({ search: SearchFilter });

/** One of several values, in the form of the contract's enums. */
export function oneOf<const Value extends string>(values: readonly Value[], name: string) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], $id: name });
}

export const StringList = Type.Array(Type.String({ maxLength: fieldLimits.id }), {
  maxItems: fieldLimits.members,
  $id: 'stringList',
});
export const GroupIDs = Type.Array(Type.String({ maxLength: fieldLimits.id }), {
  maxItems: fieldLimits.groups,
  $id: 'groupIDs',
});
