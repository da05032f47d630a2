import { disruptions, type Effect } from './disruption.ts';
import { copyOf, entriesOf, nameOf, type Copy, type NameOf } from './paths.ts';
import { specFields, type ServerPath, type WirePath } from './spec-fields.ts';

/** A field of any type: the code that walks the table does not know which one it has. */
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

/** The row of a field that the server gets. */
export interface ServerRow extends SpecRow {
  readonly name: NameOf<ServerPath>;
  readonly field: AnyField & { readonly server: ServerPart };
}

export const specRows: readonly SpecRow[] = entriesOf(specFields).map(([wire, field]) => ({
  wire,
  name: nameOf(wire),
  field,
}));

/** The rows of the fields that the server gets, the most disruptive first. */
export const serverRows: readonly ServerRow[] = specRows
  .filter((row): row is ServerRow => row.field.server !== 'none')
  .toSorted((one, other) => severityOf(other) - severityOf(one));

function severityOf({ field }: ServerRow): number {
  return disruptions.indexOf(field.server.change.disruption);
}

/** The rows of the fields that only the record of the instance has. */
export const recordRows: readonly SpecRow[] = specRows.filter(({ field }) => field.server === 'none');

/** The value of a field in the one form of all values that mean the same. */
export function canonicalValue({ field }: SpecRow, value: unknown): unknown {
  return field.canonical ? field.canonical(value) : value;
}

/** Copies a field to its name, in the form in which two states of it are compared. */
export function comparedCopy(from: string, row: SpecRow): Copy {
  return copyOf(from, row.name, (value) => canonicalValue(row, value) ?? row.field.unset);
}
