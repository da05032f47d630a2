export { disruptions, publicAddress, type Disruption, type Effect } from './disruption.ts';
export { observedFields } from './observed-fields.ts';
export { copied, copyOf, entriesOf, valueAt, type NameOf } from './paths.ts';
export { canonicalValue, comparedCopy, recordRows, serverRows, specRows, type ServerRow } from './rows.ts';
export { operatorFields, type ComparedValue, type ServerPath } from './spec-fields.ts';
export { labelFields, statusFields } from './status-fields.ts';
