import { Type } from 'typebox';

/** An identifier in a path. */
const Id = Type.String({ format: 'uuid' });

export const InstancePath = Type.Object({ instanceID: Id });
export const OrganizationPath = Type.Object({ organizationID: Id });
export const OrganizationRegionPath = Type.Object({ organizationID: Id, regionID: Id });

const words = Type.Optional(Type.Array(Type.String()));

/** What lists can be narrowed by. */
export const InstanceQuery = Type.Object({ organizationID: words, projectID: words, regionID: words, networkID: words, tag: words });
