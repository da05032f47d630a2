import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';

import { Button } from '../parts/button.tsx';
import { FilterChip, NothingMatches } from '../parts/filter-bar.tsx';
import { textParameter } from '../parts/search.ts';
import { number, words } from '../words/index.ts';
import { namesOf, useRegions } from './catalog.ts';

const texts = words.parts.regionFilter;

/** The region to which the lists are limited. It is in the address, and the frame of the pages offers it. */
export function useRegionFilter(): {
  readonly region: string | undefined;
  readonly choose: (region: string | undefined) => void;
} {
  const navigate = useNavigate();
  return {
    region: textParameter(useLocation().search, 'region'),
    choose: (region) => void navigate({ to: '.', search: (before) => ({ ...before, region }) }),
  };
}

/** The rows of the chosen region. */
export function useRowsOfRegion<Row>(
  rows: readonly Row[],
  regionOf: ((row: Row) => string) | undefined,
): readonly Row[] {
  const { region } = useRegionFilter();
  return useMemo(
    () => (region === undefined || !regionOf ? rows : rows.filter((row) => regionOf(row) === region)),
    [rows, region, regionOf],
  );
}

/** Narrow screens have no place for the region above the list, so that it is shown here as a filter that is on. */
export function RegionChip() {
  const { region, choose } = useRegionFilter();
  const { org = '' } = useParams({ strict: false });
  const { data = [] } = useRegions(org);
  if (region === undefined) return null;
  return (
    <FilterChip
      text={texts.chip(namesOf([data])(region))}
      className="sm:hidden"
      onRemove={() => {
        choose(undefined);
      }}
    />
  );
}

/** Instead of the rows, if the filters leave none. If it is only the region that hides some, it says how many. */
export function NothingShown({ hidden, onClear }: { readonly hidden: number; readonly onClear: () => void }) {
  const { choose } = useRegionFilter();
  if (hidden === 0) return <NothingMatches onClear={onClear} />;
  return (
    <div className="flex flex-col items-center gap-3">
      {texts.hides(hidden, number(hidden))}
      <Button
        onClick={() => {
          choose(undefined);
        }}
      >
        {texts.showAll}
      </Button>
    </div>
  );
}
