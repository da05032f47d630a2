export { Lot } from './lot.ts';
export { lotLabel, Permit } from './permit.ts';
