import type { Lot } from '../kinds/lot.ts';

type Occupants = NonNullable<NonNullable<Lot['status']>['occupants']>;

function occupantsOf(lot: Lot): Occupants {
  return lot.status?.occupants ?? [];
}

/** The lot with a space taken, the same lot if this run already has one, or `full`. */
export function takeSpace(
  lot: Lot,
  permitId: string,
  saga: string,
): { readonly lot: Lot; readonly space: number } | 'full' | 'taken' {
  const occupants = occupantsOf(lot);
  const own = occupants.find((occupant) => occupant.permitId === permitId);
  if (own) return own.saga === saga ? { lot, space: own.space } : 'taken';
  const taken = new Set(occupants.map((occupant) => occupant.space));
  const space = Array.from({ length: lot.spec.spaces }, (_, index) => index + 1).find((number) => !taken.has(number));
  if (space === undefined) return 'full';
  return { lot: { ...lot, status: { ...lot.status, occupants: [...occupants, { permitId, space, saga }] } }, space };
}

/**
 * The lot without the permit's space; undefined if the permit has none. Without a saga, the space is released whatever
 * run took it.
 */
export function freeSpace(lot: Lot, permitId: string, saga?: string): Lot | undefined {
  const kept = occupantsOf(lot).filter(
    (occupant) => occupant.permitId !== permitId || (saga !== undefined && occupant.saga !== saga),
  );
  return kept.length === occupantsOf(lot).length ? undefined : { ...lot, status: { ...lot.status, occupants: kept } };
}
