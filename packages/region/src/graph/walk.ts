import { edges, type Edge, type KindId } from './edges.ts';

/** The labels by which the deletion of an object of another service finds our objects. */
export function propagationsFrom(kind: KindId): readonly { readonly to: KindId; readonly label: string }[] {
  return edges.flatMap((edge) =>
    edge.type === 'propagation' && edge.from === kind ? [{ to: edge.to, label: edge.label }] : [],
  );
}

/** The kinds that this kind owns, and the labels by which they are found. */
export function childrenOf(kind: KindId): readonly { readonly owned: KindId; readonly label: string }[] {
  return edges.flatMap((edge) =>
    edge.type === 'owner' && edge.owner === kind ? [{ owned: edge.owned, label: edge.label }] : [],
  );
}

export type ServerUse = Extract<Edge, { type: 'use by servers' }>;

/** How the servers that use an object of this kind are found. */
export function serverUsesOf(kind: KindId): readonly ServerUse[] {
  return edges.flatMap((edge) => (edge.type === 'use by servers' && edge.used === kind ? [edge] : []));
}
