import type { ExplanationNode, NodeDraft, NodeReference } from './node.ts';

/**
 * How the kinds of nodes depend on each other. Dependencies come first: no kind depends on a later one, so that the
 * first node that is not ready is the cause of the others.
 */
export type Graph<Kind extends string> = readonly {
  readonly kind: Kind;
  readonly dependsOn: readonly NoInfer<Kind>[];
}[];

export interface Explanation<Kind extends string = string> {
  readonly ready: boolean;
  /** The deepest problem, in one line. */
  readonly summary: string;
  /** First the nodes with problems, causes before effects; then the nodes that are ready. */
  readonly nodes: readonly ExplanationNode<Kind>[];
}

export interface Explained<Kind extends string> {
  readonly nodes: readonly NodeDraft<Kind>[];
  readonly graph: Graph<Kind>;
  /**
   * The kinds that make up the resource itself. The resource is ready when they are, even if something that it was
   * created from is not.
   */
  readonly own: readonly Kind[];
  /** The summary when it is ready. */
  readonly whenReady: string;
}

/**
 * Sorts the nodes and adds their edges.
 *
 * @example explanationOf({ nodes, graph, own: ['network'], whenReady: 'the network is ready' })
 */
export function explanationOf<Kind extends string>({
  nodes,
  graph,
  own,
  whenReady,
}: Explained<Kind>): Explanation<Kind> {
  const depth = new Map(graph.map(({ kind }, index) => [kind, index]));
  const rank = ({ kind, state }: NodeDraft<Kind>) =>
    (state === 'ready' ? graph.length : 0) + (depth.get(kind) ?? graph.length);
  const sorted = nodes.toSorted((a, b) => rank(a) - rank(b));
  const [first] = sorted;
  const ready = nodes.every(({ kind, state }) => state === 'ready' || !own.includes(kind));
  return {
    ready,
    summary: ready || !first ? whenReady : `${nodeWords(first)}: ${first.message}`,
    nodes: sorted.map((node) => ({ ...node, dependsOn: edgesOf(node, nodes, graph) })),
  };
}

function edgesOf<Kind extends string>(
  { kind }: NodeDraft<Kind>,
  nodes: readonly NodeDraft<Kind>[],
  graph: Graph<Kind>,
): readonly NodeReference<Kind>[] {
  const needed = graph.find((entry) => entry.kind === kind)?.dependsOn ?? [];
  return needed.flatMap((wanted) => nodes.filter((node) => node.kind === wanted).map(referenceTo));
}

function referenceTo<Kind extends string>({ kind, id }: NodeDraft<Kind>): NodeReference<Kind> {
  return { kind, id };
}

/** Such as `security group web`. The name of a holder already contains its kind. */
function nodeWords({ kind, name, id }: NodeDraft): string {
  if (kind === 'holder') return name ?? id;
  return `${kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${name ?? id}`;
}
