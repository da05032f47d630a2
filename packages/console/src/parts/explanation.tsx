import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import type { Explanation } from '@unikorn/sdk';

import { useRegions } from '../catalog/catalog.ts';
import { useApi } from '../session/context.tsx';
import { words } from '../words/index.ts';
import { Announcement } from './announcement.tsx';
import { columnsOf, heldUp, keyOf, triedOf, type Graph, type Node } from './explanation-graph.ts';
import { layoutOf, size, type Line } from './explanation-layout.ts';
import { Problem } from './problem.tsx';
import { GraphSkeleton } from './skeleton.tsx';
import { Mark, type Tone } from './status.tsx';
import { Countdown, Time } from './time.tsx';

const texts = words.parts.explanation;

/** Explains a resource. It is asked again when the resource changes, and every 3 seconds while it is not ready. */
export function useExplanation(service: 'compute' | 'region' | 'identity', path: string, version: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['explain', service, path, version],
    queryFn: async ({ signal }): Promise<Graph> => {
      const { data } = await api[service].untyped.send('GET', `${path}/explain`, { signal });
      if (!isExplanation(data)) throw new Error('the service did not explain the resource');
      return data;
    },
    refetchInterval: ({ state }) => (state.data?.ready === false ? 3_000 : false),
    placeholderData: (before) => before,
  });
}

/** The same graph with the name of its region, which the explanation of an instance does not have. */
function useNamedRegion(graph: Graph | undefined): Graph | undefined {
  const { org = '' } = useParams({ strict: false });
  const { data: regions = [] } = useRegions(org);
  return (
    graph && {
      ...graph,
      nodes: graph.nodes.map((node) => {
        const name = regions.find(({ metadata }) => node.kind === 'region' && metadata.id === node.id)?.metadata.name;
        return name === undefined ? node : { ...node, name };
      }),
    }
  );
}

function isExplanation(value: unknown): value is Explanation {
  return typeof value === 'object' && value !== null && 'nodes' in value && Array.isArray(value.nodes);
}

const tones: Readonly<Record<string, Tone>> = {
  ready: 'good',
  progressing: 'busy',
  waiting: 'idle',
  retrying: 'warn',
  degraded: 'warn',
  failed: 'bad',
  missing: 'bad',
  deleting: 'busy',
  paused: 'idle',
  holding: 'warn',
};

/** The chain of what a resource needs, from left to right, and the cause of what is not ready. */
export function ExplanationView({
  service,
  path,
  version,
}: {
  readonly service: 'compute' | 'region' | 'identity';
  readonly path: string;
  readonly version: string;
}) {
  const { data: explained, error, refetch } = useExplanation(service, path, version);
  const data = useNamedRegion(explained);
  const [chosen, setChosen] = useState<string>();
  if (error)
    return (
      <Problem
        error={error}
        retry={() => {
          void refetch();
        }}
      />
    );
  if (!data) return <GraphSkeleton />;
  const [cause] = data.nodes.filter(({ state }) => state !== 'ready');
  const shown = data.nodes.find((node) => keyOf(node) === chosen) ?? cause;
  return (
    <div className="flex flex-col gap-4">
      {shown ? (
        <NodePanel
          node={shown}
          isCause={shown === cause}
          tried={shown === cause ? triedOf(shown, data.nodes) : shown}
        />
      ) : (
        <p lang="en" className="font-medium">
          {sentence(data.summary)}
        </p>
      )}
      <Drawing graph={data} cause={cause} shown={shown} onChoose={setChosen} />
      {/* On a narrow screen the drawing would be cut, so it is a list there. */}
      <ol aria-label={texts.graph} className="flex flex-col gap-1.5 sm:hidden">
        {columnsOf(data)
          .flat()
          .map((node) => (
            <li key={keyOf(node)} className="h-11">
              <NodeButton node={node} current={node === shown} held={false} onChoose={setChosen} />
            </li>
          ))}
      </ol>
    </div>
  );
}

function Drawing({
  graph,
  cause,
  shown,
  onChoose,
}: {
  readonly graph: Graph;
  readonly cause: Node | undefined;
  readonly shown: Node | undefined;
  readonly onChoose: (key: string) => void;
}) {
  const { width, height, places, lines } = layoutOf(graph);
  const held = cause ? heldUp(graph, cause) : new Set<string>();
  const isBlocked = ({ from, to }: Line) => held.has(to) && (held.has(from) || from === (cause && keyOf(cause)));
  return (
    <div className="-mx-1 overflow-x-auto px-1 py-1 max-sm:hidden" tabIndex={0} role="group" aria-label={texts.graph}>
      <ol className="relative" style={{ width, height }}>
        <svg aria-hidden="true" className="absolute inset-0" width={width} height={height}>
          {lines.map((line) => (
            <path
              key={`${line.from} ${line.to}`}
              d={curve(line)}
              fill="none"
              className={isBlocked(line) ? 'stroke-bad-mark' : 'stroke-line-strong'}
              strokeWidth="1.5"
              strokeDasharray={isBlocked(line) ? '4 4' : undefined}
            />
          ))}
        </svg>
        {columnsOf(graph)
          .flat()
          .map((node) => {
            const key = keyOf(node);
            const place = places.get(key);
            const current = shown !== undefined && keyOf(shown) === key;
            return (
              <li
                key={key}
                className="absolute"
                style={{ left: place?.x, top: place?.y, width: size.width, height: size.height }}
              >
                <NodeButton node={node} current={current} held={held.has(key)} onChoose={onChoose} />
              </li>
            );
          })}
      </ol>
    </div>
  );
}

/** A line that begins and ends level in the space between two columns. */
function curve({ points: [first, ...rest] }: Line): string {
  let [before, path] = [first, `M${first?.x ?? 0} ${first?.y ?? 0}`];
  for (const point of rest) {
    const bend = size.across / 2;
    path +=
      before?.y === point.y
        ? `H${point.x}`
        : `C${(before?.x ?? 0) + bend} ${before?.y ?? 0} ${point.x - bend} ${point.y} ${point.x} ${point.y}`;
    before = point;
  }
  return path;
}

function NodeButton({
  node,
  current,
  held,
  onChoose,
}: {
  readonly node: Node;
  readonly current: boolean;
  /** Whether it waits for the cause. */
  readonly held: boolean;
  readonly onChoose: (key: string) => void;
}) {
  const state = texts.states[node.state] ?? node.state;
  return (
    <button
      type="button"
      aria-pressed={current}
      title={node.name ?? node.id}
      className={`flex h-full w-full items-center gap-2 rounded-md border px-2 text-start hover:bg-hover ${
        current ? 'border-accent ring-1 ring-accent' : 'border-line-strong'
      } ${held ? 'hatched' : 'bg-raised'}`}
      onClick={() => {
        onChoose(keyOf(node));
      }}
    >
      <Mark tone={tones[node.state] ?? 'idle'} />
      <span className="flex min-w-0 flex-col">
        <span className="truncate text-sm text-muted">{texts.kinds[node.kind] ?? node.kind}</span>
        <span className="relative truncate font-medium">
          {node.state === 'ready' && node.name !== undefined ? node.name : state}
          {node.state === 'ready' && node.name !== undefined && <span className="sr-only"> {state}</span>}
        </span>
      </span>
    </button>
  );
}

function NodePanel({
  node,
  isCause,
  tried,
}: {
  readonly node: Node;
  readonly isCause: boolean;
  /** Whose attempts are shown. */
  readonly tried: Node;
}) {
  const tone = tones[node.state] ?? 'idle';
  const look =
    tone === 'bad'
      ? 'border-bad-mark/40 bg-bad-soft'
      : tone === 'warn'
        ? 'border-warn-mark/40 bg-warn-soft'
        : 'border-line bg-sunken';
  return (
    <div className={`flex flex-col gap-1 rounded-md border p-3 ${look}`}>
      <Announcement text={sentence(node.message)} />
      <p className="text-sm text-muted">
        {isCause ? `${texts.cause} · ` : ''}
        {texts.kinds[node.kind] ?? node.kind} {node.name ?? ''}
      </p>
      <p lang="en" className="font-medium">
        {sentence(node.message)}
      </p>
      {node.unblockedBy !== undefined && (
        <p lang="en">
          <span className="text-muted">{texts.remedy} </span>
          {node.unblockedBy}
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        {node.since !== undefined && (
          <span>
            {texts.since} <Time at={node.since} />
          </span>
        )}
        {tried.attempts !== undefined && <span>{texts.attempts(tried.attempts)}</span>}
        {tried.nextRetry !== undefined && (
          <span>
            {texts.nextRetry} <Countdown to={tried.nextRetry} />
          </span>
        )}
      </p>
    </div>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
