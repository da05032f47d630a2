import { Type } from 'typebox';

import { IdFilter, TagFilter } from '@unikorn/core/http';

/** An identifier in a path. */
const Id = Type.String({ format: 'uuid' });

export const InstancePath = Type.Object({ instanceID: Id });
export const OrganizationPath = Type.Object({ organizationID: Id });
export const OrganizationRegionPath = Type.Object({ organizationID: Id, regionID: Id });

/** The filters of lists. */
export const InstanceQuery = Type.Object({
  organizationID: IdFilter,
  projectID: IdFilter,
  regionID: IdFilter,
  networkID: IdFilter,
  tag: TagFilter,
});
