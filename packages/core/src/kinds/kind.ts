import { Type, type Static, type TObject, type TProperties } from 'typebox';

import { Condition } from '../resource/conditions.ts';
import type { Changes, Realisation } from '../resource/status.ts';
import { checkDeclaration } from './declaration.ts';
import type { Metadata, WritableMetadata } from './metadata.ts';

export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/**
 * A rule in CEL, the language that Kubernetes uses for custom resources, so that the same rule works on every engine.
 */
export interface AdmissionRule {
  /**
   * An expression over `self` and, if the rule is about a change, `oldSelf`. A rule with `oldSelf` is checked on
   * updates only.
   */
  readonly rule: string;
  readonly message: string;
}

/** Data about retries of a failed operation: number of attempts, first failure, and next attempt. */
const Retry = Type.Object({ attempts: Type.Integer({ minimum: 1 }), since: Type.String(), nextTime: Type.String() });

const frameworkStatus = {
  conditions: Type.Optional(Type.Array(Condition)),
  observedGeneration: Type.Optional(Type.Integer({ minimum: 0 })),
  retry: Type.Optional(Retry),
} satisfies TProperties;

/** The status fields that every kind has. The framework writes them. */
export type FrameworkStatus = DeepReadonly<Static<TObject<typeof frameworkStatus>>>;

export interface KindDeclaration<Spec extends TObject, Status extends TProperties> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly spec: Spec;
  /**
   * `controlled` (the default): a controller provisions it and writes its conditions. `static`: it is complete once it
   * is stored.
   */
  readonly realisation?: Realisation;
  /**
   * `stored`: a change is complete once it is stored, although a controller provisions and deprovisions the object.
   * `realised` (the default): the controller has to apply the change first.
   */
  readonly changes?: Changes;
  /** Its objects pile up for days or months, so that no process keeps all of them in memory. */
  readonly archive?: boolean;
  /**
   * All properties are optional, because a status is filled step by step. Conditions and observed generation are added.
   */
  readonly status: Status;
  /** Labels with an index, the most selective first. */
  readonly indexedLabels?: readonly string[];
  /**
   * Labels that every object must have. Kubernetes does not show labels to rules, so only admission checks this.
   * Objects that were stored earlier stay valid.
   */
  readonly requiredLabels?: readonly string[];
  /** JSON pointers into the object, such as `/spec/networkId`, whose value is fixed at creation. */
  readonly immutable?: readonly string[];
  readonly admission?: readonly AdmissionRule[];
}

/** A stored resource, declared once. Types, validation, store indexes and CRD documents are derived from it. */
export interface Kind<Spec extends TObject = TObject, Status extends TProperties = TProperties> {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** `<plural>.<group>`: unique among kinds. */
  readonly id: string;
  readonly realisation: Realisation;
  readonly changes: Changes;
  readonly archive: boolean;
  readonly spec: Spec;
  /** The status fields that the kind declares. */
  readonly ownStatus: TObject<Status>;
  /** The whole status: the fields of the kind and those of the framework. */
  readonly status: TObject;
  readonly indexedLabels: readonly string[];
  readonly requiredLabels: readonly string[];
  readonly immutable: readonly string[];
  readonly admission: readonly AdmissionRule[];
}

export type SpecOf<K extends Kind> = DeepReadonly<Static<K['spec']>>;
export type StatusOf<K extends Kind> = DeepReadonly<Static<K['ownStatus']>> & FrameworkStatus;

/** A stored object. It must not be changed in place: stores return frozen objects that are shared with caches. */
export interface Resource<K extends Kind = Kind> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: SpecOf<K>;
  readonly status?: StatusOf<K>;
}

/** The input of a create. A status can only be set by a status update. */
export interface Draft<K extends Kind = Kind> {
  readonly metadata: WritableMetadata;
  readonly spec: SpecOf<K>;
}

/**
 * Declares a kind. Throws with all defects of the declaration.
 *
 * @example
 * export const Network = defineKind({
 *   group: 'region.unikorn-cloud.org', version: 'v1alpha1', kind: 'Network', plural: 'networks',
 *   spec: Type.Object({ prefix: Type.String() }),
 *   status: { vlan: Type.Optional(Type.Integer()) },
 *   indexedLabels: [labels.project],
 *   immutable: ['/spec/prefix'],
 * });
 */
export function defineKind<Spec extends TObject, const Status extends TProperties>(
  declaration: KindDeclaration<Spec, Status>,
): Kind<Spec, Status> {
  const {
    group,
    version,
    kind,
    plural,
    realisation = 'controlled',
    changes = 'realised',
    archive = false,
    spec,
    indexedLabels = [],
    requiredLabels = [],
    immutable = [],
    admission = [],
  } = declaration;
  const ownStatus = Type.Object(declaration.status);
  const defined = {
    group,
    version,
    apiVersion: `${group}/${version}`,
    kind,
    plural,
    id: `${plural}.${group}`,
    realisation,
    changes,
    archive,
    spec,
    ownStatus,
    status: Type.Object({ ...ownStatus.properties, ...frameworkStatus }),
    indexedLabels,
    requiredLabels,
    immutable,
    admission,
  };
  checkDeclaration(defined);
  return defined;
}
