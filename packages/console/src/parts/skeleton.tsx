import type { ReactNode } from 'react';

import { words } from '../words/index.ts';

/** Before this time, a skeleton would only flicker. */
export const afterAMoment = 'opacity-0 [animation:appear_0s_150ms_forwards]';

/** Stands for a text that is not known yet. */
export function Bar({ className = 'h-3 w-2/3' }: { readonly className?: string }) {
  return <span aria-hidden="true" className={`block max-w-full rounded bg-line ${className}`} />;
}

/** Stands for a line of text, and is as high as one. */
export function BarOfLine({ className }: { readonly className: string }) {
  return (
    <div className="flex h-lh items-center">
      <Bar className={`h-3 ${className}`} />
    </div>
  );
}

/** What stands for content that is not known yet. Screen readers are only told that it is loading. */
export function Loading({ className, children }: { readonly className: string; readonly children: ReactNode }) {
  return (
    <div role="status" aria-label={words.parts.loading} className={`${className} ${afterAMoment}`}>
      {children}
    </div>
  );
}

/** Grey bars of the size of the content that will come. They appear only if that takes a moment. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <Loading className="flex flex-col gap-2">
      {repeated(rows, (index) => (
        <Bar key={index} className="h-9" />
      ))}
    </Loading>
  );
}

export interface DetailSkeletonProps {
  /** The sections of the page: for each column, how many facts each of its sections has. */
  readonly sections: readonly (readonly number[])[];
  /** The classes of the grid of the sections. */
  readonly columns?: string;
  /** What is below the title: a line of facts, tabs, and the graph of what the resource needs. */
  readonly strip?: boolean;
  readonly tabs?: boolean;
  readonly graph?: boolean;
}

/** The page of a resource, before the resource is known. */
export function DetailSkeleton({
  sections,
  columns = 'lg:grid-cols-2',
  strip = false,
  tabs = false,
  graph = false,
}: DetailSkeletonProps) {
  return (
    <Loading className="flex flex-col gap-4">
      <div className="flex min-h-8 items-center justify-between gap-4">
        <h1 className="h-5 w-48 rounded bg-line">
          <span className="sr-only">{words.parts.loading}</span>
        </h1>
        <Bar className="h-8 w-32 rounded-md" />
      </div>
      {strip && (
        <div className="flex flex-wrap gap-x-8 gap-y-2">
          {repeated(5, (index) => (
            <div key={index} className="flex h-11 w-24 flex-col justify-around">
              <Bar className="h-2.5 w-14" />
              <Bar />
            </div>
          ))}
        </div>
      )}
      {tabs && (
        <div className="flex h-9 items-center gap-4 border-b border-line">
          {repeated(4, (index) => (
            <Bar key={index} className="w-16 h-3" />
          ))}
        </div>
      )}
      {graph && (
        <SectionSkeleton>
          <Graph />
        </SectionSkeleton>
      )}
      <div className={`grid grid-cols-1 items-start gap-4 ${columns}`}>
        {sections.map((column, place) => (
          <div key={place} className="grid gap-4">
            {column.map((facts, index) => (
              <SectionSkeleton key={index}>
                <FactsSkeleton facts={facts} />
              </SectionSkeleton>
            ))}
          </div>
        ))}
      </div>
    </Loading>
  );
}

function SectionSkeleton({ children }: { readonly children: ReactNode }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex min-h-11 items-center border-b border-line px-4">
        <Bar className="h-3 w-28" />
      </div>
      <div className="p-4">{children}</div>
    </div>
  );
}

/** The last fact is the id, with a button that copies it. */
function FactsSkeleton({ facts }: { readonly facts: number }) {
  return (
    <div className="flex flex-col gap-1.5">
      {repeated(facts, (index) => (
        <div key={index} className="grid h-lh grid-cols-[7rem_1fr] items-center gap-x-6 last:h-6">
          <Bar />
          <Bar className="h-3 w-1/3" />
        </div>
      ))}
    </div>
  );
}

/** What a resource needs, before it is explained: a sentence, and a chain. */
export function GraphSkeleton() {
  return (
    <Loading className="">
      <Graph />
    </Loading>
  );
}

function Graph() {
  return (
    <div className="flex flex-col gap-4">
      <BarOfLine className="w-64" />
      <div className="flex gap-x-5 gap-y-1.5 overflow-hidden py-1 max-sm:flex-col max-sm:py-0">
        {repeated(4, (index) => (
          <Bar key={index} className="h-11 w-30 shrink-0 rounded-md max-sm:w-full" />
        ))}
      </div>
    </div>
  );
}

/** Cards beside each other, before it is known what they show. */
export function CardsSkeleton({ cards, className }: { readonly cards: number; readonly className: string }) {
  return (
    <Loading className="grid gap-3 lg:grid-cols-2">
      {repeated(cards, (index) => (
        <div
          key={index}
          className={`flex flex-col justify-between rounded-lg border border-line bg-surface p-4 ${className}`}
        >
          <Bar className="h-3 w-40" />
          <Bar className="h-2 w-full" />
          <Bar className="h-3 w-56" />
        </div>
      ))}
    </Loading>
  );
}

export function repeated<Drawn>(count: number, draw: (index: number) => Drawn): readonly Drawn[] {
  return Array.from({ length: count }, (_unused, index) => draw(index));
}
