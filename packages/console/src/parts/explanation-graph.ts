import type { Explanation } from '@unikorn/sdk';

export type Node = Explanation['nodes'][number];
export interface Graph {
  readonly ready: boolean;
  readonly summary: string;
  readonly nodes: readonly Node[];
}
type Reference = Node['dependsOn'][number];

export function keyOf({ kind, id }: Pick<Reference, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** The nodes in columns: each one is to the right of everything that it needs. */
export function columnsOf(graph: Graph): readonly (readonly Node[])[] {
  const nodes = new Map<string, Node>(graph.nodes.map((node) => [keyOf(node), node]));
  const depths = new Map<string, number>();
  const depthOf = (node: Node, path: ReadonlySet<string>): number => {
    const key = keyOf(node);
    const known = depths.get(key);
    if (known !== undefined) return known;
    const needed = node.dependsOn.flatMap((reference) => {
      const target = nodes.get(keyOf(reference));
      return target && !path.has(keyOf(target)) ? [depthOf(target, new Set([...path, key])) + 1] : [];
    });
    const depth = Math.max(0, ...needed);
    depths.set(key, depth);
    return depth;
  };
  for (const node of graph.nodes) depthOf(node, new Set([keyOf(node)]));
  moveBesideUsers(graph, depths);
  const columns: Node[][] = [];
  for (const node of graph.nodes) (columns[depths.get(keyOf(node)) ?? 0] ??= []).push(node);
  return columns
    .filter((column) => column.length > 0)
    .map((column) => column.toSorted((one, other) => (one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : 0)));
}

/** Moves each node as far to the right as what needs it allows, so that lines are short. */
function moveBesideUsers(graph: Graph, depths: Map<string, number>): void {
  const rightmost = graph.nodes.toSorted(
    (one, other) => (depths.get(keyOf(other)) ?? 0) - (depths.get(keyOf(one)) ?? 0),
  );
  for (const node of rightmost) {
    const key = keyOf(node);
    const users = graph.nodes.filter((other) => other.dependsOn.some((reference) => keyOf(reference) === key));
    const nearest = Math.min(...users.map((user) => depths.get(keyOf(user)) ?? 0));
    if (users.length > 0) depths.set(key, Math.max(nearest - 1, 0));
  }
}

/** The nodes that wait for this one, directly or through others. */
export function heldUp(graph: Graph, cause: Node): ReadonlySet<string> {
  const held = new Set<string>();
  const visit = (key: string) => {
    for (const node of graph.nodes) {
      const own = keyOf(node);
      if (held.has(own) || node.state === 'ready') continue;
      if (node.dependsOn.some((reference) => keyOf(reference) === key)) {
        held.add(own);
        visit(own);
      }
    }
  };
  visit(keyOf(cause));
  return held;
}

/** A cause such as a region is not tried again itself. Then the attempts of what needs it are shown. */
export function triedOf(cause: Node, nodes: readonly Node[]): Node {
  return cause.attempts === undefined ? (nodes.find(({ attempts }) => attempts !== undefined) ?? cause) : cause;
}

/** Since when the resource itself is as it is, and when what holds it up is tried again. */
export function progressOf(
  { nodes }: { readonly nodes: readonly Node[] },
  kind: Node['kind'],
): { readonly since: string | undefined; readonly nextRetry: string | undefined } {
  const cause = nodes.find(({ state }) => state !== 'ready');
  return {
    since: nodes.find((node) => node.kind === kind)?.since,
    nextRetry: cause && triedOf(cause, nodes).nextRetry,
  };
}
