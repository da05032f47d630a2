export { checkCharge } from './charges.ts';
export { checkFailure } from './failure.ts';
export { checkHeld, checkHolds, heldKey } from './references.ts';
export { checkLabels } from './labels.ts';
export { checkLinkedServer, checkOwnServer } from './links.ts';
export { checkProgress } from './progress.ts';
export { checkProjection } from './staleness.ts';
