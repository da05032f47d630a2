import { rootRouteId, useMatches, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import type { RawSearch } from '../parts/search.ts';
import { onUnknownValue, type Dropped } from '../parts/unknown-value.ts';

/** The parameters that the page does not know, or whose values do not fit. Empty ones mean the same as none. */
export function droppedFrom(given: RawSearch, valid: RawSearch): readonly string[] {
  return Object.entries(given)
    .filter(([name, value]) => value !== '' && valid[name] === undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
}

/** The route and the data of a page can drop something one after the other: the user reads of both. */
function together(before: Dropped | undefined, next: Dropped): Dropped {
  if (before?.pathname !== next.pathname) return next;
  return { ...next, parameters: [...new Set([...before.parameters, ...next.parameters])] };
}

/** Removes such parameters from the address. Returns those of this page, until it is left or the user has read them. */
export function useDropped(): { readonly dropped: Dropped | undefined; readonly forget: () => void } {
  const navigate = useNavigate();
  const page = useMatches().at(-1);
  const [dropped, setDropped] = useState<Dropped>();
  const parameters = page && page.routeId !== rootRouteId ? droppedFrom(page.search, page._strictSearch) : [];
  const add = (next: Dropped) => {
    setDropped((before) => together(before, next));
  };
  const found = parameters.join('&');
  useEffect(() => {
    if (!page || found === '') return;
    add({ pathname: page.pathname, parameters });
    void navigate({ to: '.', search: page._strictSearch, hash: true, replace: true, resetScroll: false });
  }, [page?.pathname, found]);
  useEffect(() => onUnknownValue(add), []);
  return {
    dropped: dropped?.pathname === page?.pathname ? dropped : undefined,
    forget: () => {
      setDropped(undefined);
    },
  };
}
