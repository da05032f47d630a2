import { disruptions, type Effect } from './disruption.ts';
import { copyOf, entriesOf, nameOf, type Copy, type NameOf } from './paths.ts';
import { specFields, type ServerPath, type WirePath } from './spec-fields.ts';

/** A field of any type. The code that walks the table does not know the type. */
interface AnyField {
  readonly stored: string;
  readonly leftOut: 'keeps' | 'clears' | 'refused';
  store?(value: unknown): unknown;
  canonical?(value: unknown): unknown;
  readonly unset?: unknown;
  readonly server: 'none' | ServerPart;
}

interface ServerPart {
  readonly wanted: string;
  readonly sent: 'always' | 'at creation';
  readonly observed: string;
  readonly change: Effect;
  givesUp?(wanted: unknown): readonly string[];
}

/** A row of the table of spec fields. */
export interface SpecRow {
  readonly wire: WirePath;
  /** The last part of the wire path. */
  readonly name: NameOf<WirePath>;
  readonly field: AnyField;
}

/** The row of a field that is sent to the server. */
export interface ServerRow extends SpecRow {
  readonly name: NameOf<ServerPath>;
  readonly field: AnyField & { readonly server: ServerPart };
}

export const specRows: readonly SpecRow[] = entriesOf(specFields).map(([wire, field]) => ({
  wire,
  name: nameOf(wire),
  field,
}));

/** The rows of the fields that are sent to the server, the most disruptive first. */
export const serverRows: readonly ServerRow[] = specRows
  .filter((row): row is ServerRow => row.field.server !== 'none')
  .toSorted((one, other) => severityOf(other) - severityOf(one));

function severityOf({ field }: ServerRow): number {
  return disruptions.indexOf(field.server.change.disruption);
}

/** The rows of the fields that are only stored in the instance. */
export const recordRows: readonly SpecRow[] = specRows.filter(({ field }) => field.server === 'none');

/** The canonical form of a value: values with the same meaning have the same form. */
export function canonicalValue({ field }: SpecRow, value: unknown): unknown {
  return field.canonical ? field.canonical(value) : value;
}

/** Copies a field to its name, in the form that is compared. */
export function comparedCopy(from: string, row: SpecRow): Copy {
  return copyOf(from, row.name, (value) => canonicalValue(row, value) ?? row.field.unset);
}
