import { expect, it } from 'vitest';

import { keyOf, type Graph, type Node } from './explanation-graph.ts';
import { layoutOf, size, type Layout, type Point } from './explanation-layout.ts';

function graphOf(needs: Readonly<Record<string, readonly string[]>>): Graph {
  const nodes = Object.entries(needs).map(([kind, dependsOn]) => ({
    kind,
    id: kind,
    state: 'ready',
    dependsOn: dependsOn.map((each) => ({ kind: each, id: each })),
  }));
  return { ready: true, summary: '', nodes } as unknown as Graph;
}

/** What an instance of a simulated region needs, as the service says it. */
const instance = graphOf({
  providerResource: ['region', 'cloudIdentity', 'network', 'image', 'flavor', 'securityGroup', 'sshAuthority'],
  machine: ['network', 'providerResource'],
  instance: ['machine', 'quota'],
  region: [],
  cloudIdentity: ['region'],
  network: ['cloudIdentity'],
  securityGroup: ['network'],
  sshAuthority: [],
  image: ['region'],
  flavor: ['region'],
  quota: [],
});

/** The nodes through which a line goes, found at many points of each straight part. */
function crossed({ places, lines }: Layout): readonly string[] {
  return lines.flatMap(({ from, to, points }) =>
    points.slice(1).flatMap((end, index) =>
      [...places]
        .filter(([key]) => keys.has(key) && key !== from && key !== to)
        .filter(([, place]) => between(points[index] ?? end, end).some((point) => isInside(point, place)))
        .map(([key]) => `${from} → ${to}: ${key}`),
    ),
  );
}

const keys = new Set(instance.nodes.map(keyOf));

function between(one: Point, other: Point): readonly Point[] {
  return Array.from({ length: 101 }, (_unused, step) => ({
    x: one.x + ((other.x - one.x) * step) / 100,
    y: one.y + ((other.y - one.y) * step) / 100,
  }));
}

function isInside({ x, y }: Point, place: Point): boolean {
  return x > place.x && x < place.x + size.width && y > place.y && y < place.y + size.height;
}

it('no line goes through a node, and no two nodes share a place', () => {
  const layout = layoutOf(instance);
  expect(crossed(layout)).toEqual([]);
  const places = instance.nodes.map((node: Node) => layout.places.get(keyOf(node)));
  expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(instance.nodes.length);
  for (const place of places) {
    expect(place?.y).toBeGreaterThanOrEqual(0);
    expect((place?.y ?? 0) + size.height).toBeLessThanOrEqual(layout.height);
  }
});

it('a need that another need already has is not drawn', () => {
  const { lines } = layoutOf(graphOf({ region: [], network: ['region'], machine: ['network', 'region'] }));
  expect(lines.map(({ from, to }) => `${from} → ${to}`)).toEqual([
    'region region → network network',
    'network network → machine machine',
  ]);
});

it('a circle is drawn', () => {
  expect(layoutOf(graphOf({ machine: ['instance'], instance: ['machine'] })).lines).toHaveLength(2);
});
