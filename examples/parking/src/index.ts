export { Lot, lotLabel, Permit } from './kinds/index.ts';
export { SimulatedGate, type Gate } from './provisioners/gate.ts';
export { createParking, parkingKinds, type Parking, type ParkingOptions } from './service.ts';
