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
 * A rule in CEL, the language Kubernetes itself evaluates for custom resources, so that one text holds on every engine.
 */
export interface AdmissionRule {
  /**
   * Over `self` and, where the rule is about a change, `oldSelf`. A rule that names `oldSelf` is checked on updates
   * only.
   */
  readonly rule: string;
  readonly message: string;
}

/** While something that went wrong is being retried: how often it was tried, since when, and when it is tried next. */
const Retry = Type.Object({ attempts: Type.Integer({ minimum: 1 }), since: Type.String(), nextTime: Type.String() });

const frameworkStatus = {
  conditions: Type.Optional(Type.Array(Condition)),
  observedGeneration: Type.Optional(Type.Integer({ minimum: 0 })),
  retry: Type.Optional(Retry),
} satisfies TProperties;

/** The status fields that every kind has; written by the framework. */
export type FrameworkStatus = DeepReadonly<Static<TObject<typeof frameworkStatus>>>;

export interface KindDeclaration<Spec extends TObject, Status extends TProperties> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly spec: Spec;
  /**
   * `controlled` (the usual): a controller realises it and writes its conditions. `static`: it is done once it is
   * stored.
   */
  readonly realisation?: Realisation;
  /**
   * `stored`: a change is complete once it is stored, although a controller brings the object up and winds it up.
   * `realised` (the usual): the controller has to carry it out first.
   */
  readonly changes?: Changes;
  /**
   * Every property optional: a status comes into being piece by piece. Conditions and observed generation are added.
   */
  readonly status: Status;
  /** Labels that lists are served by without a scan, the most selective first. */
  readonly indexedLabels?: readonly string[];
  /**
   * Labels without which no object is stored. Kubernetes shows rules no labels, so admission alone sees to it; what was
   * stored before stays as it is.
   */
  readonly requiredLabels?: readonly string[];
  /** JSON pointers into the object, such as `/spec/networkId`, whose value is fixed at creation. */
  readonly immutable?: readonly string[];
  readonly admission?: readonly AdmissionRule[];
}

/** A stored resource, declared once; types, validation, store indexes and CRD documents follow from it. */
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
  readonly spec: Spec;
  /** The kind's own fields of the status. */
  readonly ownStatus: TObject<Status>;
  /** The whole status: its own fields and the framework's. */
  readonly status: TObject;
  readonly indexedLabels: readonly string[];
  readonly requiredLabels: readonly string[];
  readonly immutable: readonly string[];
  readonly admission: readonly AdmissionRule[];
}

export type SpecOf<K extends Kind> = DeepReadonly<Static<K['spec']>>;
export type StatusOf<K extends Kind> = DeepReadonly<Static<K['ownStatus']>> & FrameworkStatus;

/** A stored object. Never changed in place: what a store returns is shared with caches and frozen. */
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
 * Declares a kind, or fails with everything that is wrong with the declaration.
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
