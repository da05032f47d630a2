import { Type, type TObject, type TSchema } from 'typebox';

import { IdFilter, TagFilter } from '@unikorn/core/http';
import { WireReference } from '@unikorn/core/resource';

import { ipv4Pattern } from '../kinds/common.ts';

/** An identifier in a path. */
export const Id = Type.String({ format: 'uuid' });

export { WireId as BodyId } from '@unikorn/core/resource';

/** Paths that name one resource. */
export const NetworkPath = Type.Object({ networkID: Id });
export const SecurityGroupPath = Type.Object({ securityGroupID: Id });
export const LoadBalancerPath = Type.Object({ loadBalancerID: Id });
export const SshCertificateAuthorityPath = Type.Object({ sshCertificateAuthorityID: Id });
export const FileStoragePath = Type.Object({ filestorageID: Id });
export const ServerPath = Type.Object({ serverID: Id });
export const RegionPath = Type.Object({ regionID: Id });
export const OrganizationPath = Type.Object({ organizationID: Id });
export const OrganizationRegionPath = Type.Object({ organizationID: Id, regionID: Id });
export const OrganizationImagePath = Type.Object({ organizationID: Id, regionID: Id, imageID: Id });

/** A reference to the object in a path. */
export function ReferencePath({ properties }: TObject): TObject<{ reference: typeof WireReference }> {
  return Type.Object({ ...properties, reference: WireReference });
}

const projectFilters = { organizationID: IdFilter, projectID: IdFilter, tag: TagFilter };

/** The filters of lists: project and tag for all kinds, region and network for the kinds that have one. */
export const ProjectQuery = Type.Object(projectFilters);
export const RegionalQuery = Type.Object({ ...projectFilters, regionID: IdFilter });
export const NetworkedQuery = Type.Object({ ...projectFilters, regionID: IdFilter, networkID: IdFilter });

/** One of several words, as the contract's enums are written. */
export function oneOf<const Value extends string>(values: readonly Value[], name: string) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], $id: name });
}

/** A list with a limit, under its name in the contract. */
export function namedList<Item extends TSchema>(item: Item, maxItems: number, name: string) {
  return Type.Array(item, { maxItems, $id: name });
}

export const Ipv4Address = Type.String({
  format: 'ipv4',
  pattern: ipv4Pattern,
  maxLength: 15,
  description: 'an IPv4 address in dotted form',
  $id: 'ipv4Address',
});
