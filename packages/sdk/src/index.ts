export { connect, type ConnectOptions, type Endpoints, type Unikorn } from './connect.ts';
export { controllerLoads, type ControllerLoad } from './controllers.ts';
export { ApiError, ConnectionError, NotSettledError } from './errors.ts';
export type { Change, Departed, OnAlive, OnInterruption } from './follow.ts';
export type { paths as ComputePaths } from './generated/compute.ts';
export type { paths as IdentityPaths } from './generated/identity.ts';
export type { paths as RegionPaths } from './generated/region.ts';
export type { Platform } from './platform.ts';
export { parseQuantity, quantityText } from './quantity.ts';
export {
  fileStorageOf,
  instancesOf,
  loadBalancersOf,
  networksOf,
  securityGroupsOf,
  type Resources,
  type Selection,
  type Watching,
} from './resources.ts';
export { sagasByUrgency } from './sagas.ts';
export { dataOf, type FollowOptions, type SendOptions, type Service, type Untyped } from './service.ts';
export { healthySimulation } from './simulation.ts';
export type { TerminalConnection, TerminalOptions, TerminalState } from './terminal.ts';
export type { Refused, TokenSource } from './transport.ts';
export type * from './types.ts';
export { gone, settled, type Realised, type WaitOptions } from './wait.ts';
