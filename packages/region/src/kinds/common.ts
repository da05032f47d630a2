import { Type, type TSchema } from 'typebox';

/** The API group and version of all kinds of region. */
export const groupVersion = { group: 'region.unikorn-cloud.org', version: 'v1alpha1' } as const;

/** Tags of a resource; stored unchanged. */
const Tags = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }));

/** The common fields of all kinds that have a controller. */
export const common = { tags: Type.Optional(Tags), pause: Type.Optional(Type.Boolean()) };

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';

/** An IPv4 network. IPv6 is not supported. */
export const Cidr = Type.String({ pattern: `^${octet}(?:\\.${octet}){3}/(?:3[0-2]|[12]?[0-9])$`, maxLength: 18 });
export const ipv4Pattern = `^${octet}(?:\\.${octet}){3}$`;
export const Ipv4 = Type.String({ pattern: ipv4Pattern, maxLength: 15 });
export const AddressRange = Type.Object({ startIP: Ipv4, endIP: Ipv4 });

export const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
export const VlanId = Type.Integer({ minimum: 1, maximum: 4094 });
export const SmallName = { pattern: '^[a-z](?:[-a-z0-9]*[a-z0-9])?$' };
/** An id is never longer than a name. */
export const ObjectId = Type.String({ minLength: 1, maxLength: 253 });
export const Bytes = Type.Integer({ minimum: 1 });

export function listOf<Item extends TSchema>(item: Item, maxItems: number) {
  return Type.Array(item, { maxItems });
}

/** A label whose value is fixed at creation. */
export function labelPointer(label: string): string {
  return `/metadata/labels/${label.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
