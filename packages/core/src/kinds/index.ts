export { admit, assertFits, type Candidate } from './admission.ts';
export { customResourceDefinition, definitions, type CustomResourceDefinition } from './crd.ts';
export {
  defineKind,
  type AdmissionRule,
  type DeepReadonly,
  type Draft,
  type FrameworkStatus,
  type Kind,
  type KindDeclaration,
  type Resource,
  type SpecOf,
  type StatusOf,
} from './kind.ts';
export { type Metadata, OwnerReference, type WritableMetadata } from './metadata.ts';
export { isLabelValue } from './syntax.ts';
export { kindWords } from './words.ts';
