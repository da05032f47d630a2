export { absence, doubted, isExpected, unseen, type Absence } from './absence.ts';
export { imageFits } from './fit.ts';
export { machineActions, machineRefusal, type MachineAction } from './machine.ts';
export { isSwitching, observation, type Observation } from './observation.ts';
export { advancedRebuild, type Rebuild } from './rebuild-evidence.ts';
export { serverReference } from './reference.ts';
