export {
  availableReasons,
  Condition,
  conditionTypes,
  findCondition,
  healthReasons,
  sameCondition,
  withCondition,
  type AvailableReason,
  type ConditionType,
  type ConditionUpdate,
  type HealthReason,
} from './conditions.ts';
export { deterministicId, isDeterministic, idParser, randomId, type Id } from './ids.ts';
export { annotations, finalizers, labels } from './keys.ts';
export { displayNamePattern } from './names.ts';
export {
  organizationScopedReadMetadata,
  projectScopedReadMetadata,
  readMetadata,
  staticReadMetadata,
  whileChanging,
  type OrganizationScopedReadMetadata,
  type ProjectScopedReadMetadata,
  type ReadMetadata,
  type StaticReadMetadata,
} from './read.ts';
export { childOf, ownedBy } from './owners.ts';
export {
  foreignFinalizers,
  parseReference,
  referenceOf,
  withFinalizer,
  withoutFinalizer,
  type Reference,
} from './references.ts';
export {
  healthStatus,
  healthStatuses,
  provisioningStatus,
  provisioningStatuses,
  type HealthStatus,
  type ProvisioningStatus,
  type Realisation,
} from './status.ts';
export { isReservedTag, matchesTags, parseTagSelector, rejectReservedTags, tagValue, type Tag } from './tags.ts';
export { modifiedMetadata, newMetadata, type Author, type Naming, type Scope } from './write.ts';
export {
  WireId,
  WireOrganizationScopedMetadata,
  WireProjectScopedMetadata,
  WireReadMetadata,
  WireReference,
  WireServiceWriteMetadata,
  WireStaticMetadata,
  WireTag,
  WireWriteMetadata,
} from './wire.ts';
