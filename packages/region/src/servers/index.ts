export { observation, type Observation } from './observation.ts';
