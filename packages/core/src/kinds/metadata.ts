import { Type, type Static } from 'typebox';

export const OwnerReference = Type.Object({
  apiVersion: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  uid: Type.String(),
  /** The owner's foreground deletion waits for this object. */
  blockOwnerDeletion: Type.Optional(Type.Boolean()),
  controller: Type.Optional(Type.Boolean()),
});
export type OwnerReference = Readonly<Static<typeof OwnerReference>>;

type Words = Readonly<Record<string, string>>;

/** The metadata that a writer can set. */
export interface WritableMetadata {
  /** The object's identifier, unique within its kind. The display name is the label `unikorn-cloud.org/name`. */
  readonly name: string;
  readonly labels?: Words;
  readonly annotations?: Words;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** The metadata that the store adds. */
export interface Metadata extends WritableMetadata {
  readonly uid: string;
  /** Ordered over all objects of a kind. Its format is opaque. */
  readonly resourceVersion: string;
  /** Increases with every change of the spec, and when deletion is requested. */
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
}
