import { columnsOf, keyOf, type Graph, type Node } from './explanation-graph.ts';

/** The size of a node, and the space between two of them. Seven columns fit on a page of 1280 pixels. */
export const size = { width: 120, height: 44, across: 20, down: 14 } as const;
/** The height that a line has in a column that it only passes. */
const laneHeight = 10;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  /** The key of the node that is needed. */
  readonly from: string;
  /** The key of the node that needs it. */
  readonly to: string;
  /** From point to point; two neighbours with the same height are in one column, which the line passes. */
  readonly points: readonly Point[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of each node, by its key. */
  readonly places: ReadonlyMap<string, Point>;
  readonly lines: readonly Line[];
}

/** A node, or the lane of a line that passes the column. */
interface Slot {
  readonly key: string;
  readonly height: number;
}

/** Where the nodes of a graph are, and how the lines between them go around the other nodes. */
export function layoutOf(graph: Graph): Layout {
  const columns = columnsOf(graph);
  const columnOf = new Map(columns.flatMap((column, x) => column.map((node) => [keyOf(node), x] as const)));
  const edges = shortestEdges(graph);
  const lanes = edges.map((edge) => ({ ...edge, passes: passedBy(edge, columnOf) }));
  const slots = inOrder(
    columns.map((column, x) => [
      ...column.map((node) => ({ key: keyOf(node), height: size.height })),
      ...lanes
        .filter(({ passes }) => passes.includes(x))
        .map((edge) => ({ key: laneKey(edge, x), height: laneHeight })),
    ]),
    lanes.flatMap((edge) => {
      const way = [edge.from, ...edge.passes.map((x) => laneKey(edge, x)), edge.to];
      return way.slice(1).map((key, index) => [way[index] ?? '', key] as const);
    }),
  );
  const heightOf = (column: readonly Slot[]) =>
    column.reduce((sum, slot) => sum + slot.height + size.down, 0) - size.down;
  const height = Math.max(...slots.map(heightOf));
  const places = new Map<string, Point>();
  slots.forEach((column, x) => {
    let y = (height - heightOf(column)) / 2;
    for (const slot of column) {
      places.set(slot.key, { x: x * (size.width + size.across), y });
      y += slot.height + size.down;
    }
  });
  const at = (key: string): Point => places.get(key) ?? { x: 0, y: 0 };
  return {
    width: columns.length * (size.width + size.across) - size.across,
    height,
    places,
    lines: lanes.map((edge) => ({
      from: edge.from,
      to: edge.to,
      points: [
        { x: at(edge.from).x + size.width, y: at(edge.from).y + size.height / 2 },
        ...edge.passes.flatMap((x) => {
          const lane = at(laneKey(edge, x));
          const y = lane.y + laneHeight / 2;
          return [
            { x: lane.x, y },
            { x: lane.x + size.width, y },
          ];
        }),
        { x: at(edge.to).x, y: at(edge.to).y + size.height / 2 },
      ],
    })),
  };
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

function laneKey({ from, to }: Edge, column: number): string {
  return `${from} ${to} ${column}`;
}

/** The columns between both ends of an edge. */
function passedBy({ from, to }: Edge, columnOf: ReadonlyMap<string, number>): readonly number[] {
  const first = (columnOf.get(from) ?? 0) + 1;
  return Array.from({ length: Math.max((columnOf.get(to) ?? 0) - first, 0) }, (_unused, index) => first + index);
}

/** What each node needs directly. What it also needs through another node is left out: the line would say it twice. */
function shortestEdges(graph: Graph): readonly Edge[] {
  const nodes = new Map<string, Node>(graph.nodes.map((node) => [keyOf(node), node]));
  const needsOf = (key: string) => (nodes.get(key)?.dependsOn ?? []).map(keyOf).filter((each) => nodes.has(each));
  const reaches = (from: string, wanted: string, seen: Set<string>): boolean =>
    needsOf(from).some((key) => {
      if (key === wanted) return true;
      if (seen.has(key)) return false;
      seen.add(key);
      return reaches(key, wanted, seen);
    });
  return [...nodes.keys()].flatMap((to) =>
    needsOf(to)
      .filter((from, _index, all) => !all.some((other) => other !== from && reaches(other, from, new Set([to]))))
      .map((from) => ({ from, to })),
  );
}

/** Puts the slots of each column in the order of their neighbours, so that few lines cross. */
function inOrder(
  columns: readonly (readonly Slot[])[],
  links: readonly (readonly [string, string])[],
): readonly (readonly Slot[])[] {
  const ordered = [...columns];
  const sort = (x: number, neighbours: readonly Slot[] | undefined) => {
    if (!neighbours) return;
    const rank = new Map(neighbours.map(({ key }, index) => [key, index]));
    const middle = (neighbours.length - 1) / 2;
    const weight = ({ key }: Slot) => {
      const ranks = links.flatMap(([one, other]) => {
        const found = rank.get(one === key ? other : other === key ? one : '');
        return found === undefined ? [] : [found - middle];
      });
      return ranks.length === 0 ? 0 : ranks.reduce((sum, each) => sum + each, 0) / ranks.length;
    };
    ordered[x] = (ordered[x] ?? []).toSorted((one, other) => weight(one) - weight(other));
  };
  // From the right to the left first: what the resource itself needs is in the order of its kinds.
  for (let x = ordered.length - 2; x >= 0; x -= 1) sort(x, ordered[x + 1]);
  for (let x = 1; x < ordered.length; x += 1) sort(x, ordered[x - 1]);
  return ordered;
}
