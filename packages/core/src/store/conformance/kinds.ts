import { Type } from 'typebox';

import { defineKind, type Draft, type Kind, type OwnerReference, type Resource } from '../../kinds/index.ts';

export const team = 'conformance.unikorn-cloud.org/team';
export const tier = 'conformance.unikorn-cloud.org/tier';
export const colour = 'conformance.unikorn-cloud.org/colour';

export const Widget = defineKind({
  group: 'conformance.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Widget',
  plural: 'widgets',
  spec: Type.Object({ size: Type.Integer({ minimum: 0 }), parts: Type.Optional(Type.Array(Type.String())) }),
  status: { phase: Type.Optional(Type.String()) },
  indexedLabels: [team, tier],
});
export type Widget = typeof Widget;

export const Gadget = defineKind({
  group: 'conformance.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Gadget',
  plural: 'gadgets',
  spec: Type.Object({}),
  status: {},
});
export type Gadget = typeof Gadget;

export const kinds: readonly Kind[] = [Widget, Gadget];

type Rest = Omit<Draft['metadata'], 'name'>;

export function widget(name: string, metadata: Rest = {}, size = 1): Draft<Widget> {
  return { metadata: { name, ...metadata }, spec: { size } };
}

export function gadget(name: string, metadata: Rest = {}): Draft<Gadget> {
  return { metadata: { name, ...metadata }, spec: {} };
}

export function ownedBy(
  { apiVersion, kind, metadata }: Resource,
  options: { readonly blocking?: boolean } = {},
): OwnerReference {
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    ...(options.blocking ? { blockOwnerDeletion: true } : {}),
  };
}
