import { edges, type Edge, type KindId } from './edges.ts';

/** Which kinds hold up the deletion of this one by using it; other services may, besides. */
export function userKindsOf(kind: KindId): readonly KindId[] {
  return edges.flatMap((edge) => (edge.type === 'reference' && edge.used === kind ? [edge.user] : []));
}

/** What a request to delete this kind must delete: the principal behind it, where there is one. */
export function deletionTarget(kind: KindId): KindId {
  return (
    edges.flatMap((edge) => (edge.type === 'hidden-principal' && edge.visible === kind ? [edge.principal] : []))[0] ??
    kind
  );
}

/** What is charged while this kind exists. */
export function quotasOf(kind: KindId): readonly string[] {
  return edges.flatMap((edge) => (edge.type === 'allocation' && edge.holder === kind ? edge.quotas : []));
}

/** The labels by which the deletion of another service's kind finds what of ours it reaches. */
export function propagationsFrom(kind: KindId): readonly { readonly to: KindId; readonly label: string }[] {
  return edges.flatMap((edge) =>
    edge.type === 'propagation' && edge.from === kind ? [{ to: edge.to, label: edge.label }] : [],
  );
}

/** What one of this kind owns, and the labels by which that is found. */
export function childrenOf(kind: KindId): readonly { readonly owned: KindId; readonly label: string }[] {
  return edges.flatMap((edge) =>
    edge.type === 'owner' && edge.owner === kind ? [{ owned: edge.owned, label: edge.label }] : [],
  );
}

/** Which kinds must be gone before one of this kind can be. */
export function waitsFor(kind: KindId): readonly KindId[] {
  return [...new Set(edges.map(precedence).flatMap((pair) => (pair?.later === kind ? [pair.earlier] : [])))];
}

interface Precedence {
  readonly earlier: KindId;
  readonly later: KindId;
}

function precedence(edge: Edge): Precedence | undefined {
  switch (edge.type) {
    case 'owner':
      return { earlier: edge.owned, later: edge.owner };
    case 'reference':
      return { earlier: edge.user, later: edge.used };
    case 'propagation':
      return { earlier: edge.to, later: edge.from };
    // Who goes first is the owner edge's to say.
    case 'hidden-principal':
    case 'allocation':
      return undefined;
  }
}

/** Everything that goes when one of this kind is deleted, however far away; itself left out. */
export function goesWith(kind: KindId): readonly KindId[] {
  const gone = new Set([kind]);
  // A set hands out what is added to it during the walk, too.
  for (const next of gone) for (const follower of followersOf(next)) gone.add(follower);
  gone.delete(kind);
  return [...gone];
}

function followersOf(kind: KindId): readonly KindId[] {
  return edges.flatMap((edge) => {
    switch (edge.type) {
      case 'owner':
        return edge.owner === kind ? [edge.owned] : [];
      case 'propagation':
        return edge.from === kind ? [edge.to] : [];
      case 'hidden-principal':
        return edge.visible === kind ? [edge.principal] : [];
      case 'reference':
      case 'allocation':
        return [];
    }
  });
}

/** In which order one of this kind and all that goes with it come down: nothing before what it waits for. */
export function teardownOrder(kind: KindId): readonly KindId[] {
  const waiting = new Set([kind, ...goesWith(kind)]);
  const order: KindId[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter((candidate) => !waitsFor(candidate).some((earlier) => waiting.has(earlier)));
    if (ready.length === 0) throw new Error(`the lifecycle graph has a cycle through ${[...waiting].join(', ')}`);
    for (const next of ready) waiting.delete(next);
    order.push(...ready);
  }
  return order;
}
