import { isDeepStrictEqual } from 'node:util';

import type { SpecOf } from '@unikorn/core/kinds';
import type { ServerRead } from '@unikorn/region/client';

import {
  comparedCopy,
  copied,
  disruptions,
  serverRows,
  type ComparedValue,
  type Disruption,
  type Effect,
  type NameOf,
  type ServerPath,
  type ServerRow,
} from '../fields/index.ts';
import type { ComputeInstance } from '../kinds/index.ts';

/** The fields that are sent to the server, in the form that is compared. */
export type ServerWish = { readonly [Path in ServerPath as NameOf<Path>]: ComparedValue<Path> };

/** The effect of a change of each field. Planner and controller both use it, so the plan matches what happens. */
export const effects = perServerField(({ field }): Effect => field.server.change);

/** The path of each field on the wire. */
export const wireFields = perServerField(({ wire }): string => wire);

function perServerField<T>(valueOf: (row: ServerRow) => T): Readonly<Record<keyof ServerWish, T>>;
function perServerField(valueOf: (row: ServerRow) => unknown): object {
  return Object.fromEntries(serverRows.map((row) => [row.name, valueOf(row)]));
}

export interface Change extends Effect {
  readonly field: keyof ServerWish;
  readonly from: ServerWish[keyof ServerWish];
  readonly to: ServerWish[keyof ServerWish];
}

const fromStored = serverRows.map((row) => comparedCopy(row.field.stored, row));
const fromServer = serverRows.map((row) => comparedCopy(row.field.server.observed, row));

/** The server that an instance requires. */
export function wishOf(spec: SpecOf<typeof ComputeInstance>): ServerWish;
export function wishOf(spec: object): object {
  return copied(spec, fromStored);
}

/** The server that region returns, in the same form. */
export function observedFields(server: ServerRead): ServerWish;
export function observedFields(server: object): object {
  return copied(server, fromServer);
}

/** The fields that differ, the most disruptive first. */
export function changesBetween(from: ServerWish, to: ServerWish): readonly Change[] {
  return serverRows
    .filter(({ name }) => !isDeepStrictEqual(from[name], to[name]))
    .map(({ name, field: { server } }) => ({
      field: name,
      from: from[name],
      to: to[name],
      disruption: server.change.disruption,
      loses: [...server.change.loses, ...(server.givesUp?.(to[name]) ?? [])],
    }));
}

/** The effect of all changes together, which is the worst single effect. */
export function disruptionOf(changes: readonly Pick<Change, 'disruption'>[]): Disruption {
  return changes.reduce<Disruption>(
    (worst, { disruption }) => (disruptions.indexOf(disruption) > disruptions.indexOf(worst) ? disruption : worst),
    'none',
  );
}
