export { firstOf, formatAddress, parseAddress, rangeSize, type Address, type AddressRange } from './address.ts';
export {
  checkInside,
  checkReservations,
  longestNetworkPrefix,
  requireAddress,
  requireExactPrefix,
  requireNetworkPrefix,
  requirePrefix,
} from './checks.ts';
export {
  addressesOf,
  containsAddress,
  containsPrefix,
  formatPrefix,
  overlap,
  parsePrefix,
  sizeOf,
  type Prefix,
} from './prefix.ts';
export {
  defaultReservations,
  effectiveReservations,
  layOut,
  type NetworkLayout,
  type Reservations,
} from './reservations.ts';
export { imageSources } from './sources.ts';
