import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Parameters of an address that a page ignored, as `name=value`. */
export interface Dropped {
  readonly pathname: string;
  readonly parameters: readonly string[];
}

const listeners = new Set<(dropped: Dropped) => void>();

/** Calls back for each value that a page does not know. Returns how to stop that. */
export function onUnknownValue(listener: (dropped: Dropped) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Removes a value from the address, and reports it. For values that only the data of the page can tell, such as a kind
 * of quota; a route drops all others.
 */
export function useUnknownValue(name: 'chip' | 'kind', value: string | undefined, isKnown: boolean): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    if (value === undefined || isKnown) return;
    for (const listener of listeners) listener({ pathname, parameters: [`${name}=${value}`] });
    const without = (search: object) => Object.fromEntries(Object.entries(search).filter(([key]) => key !== name));
    void navigate({ to: '.', search: without, replace: true });
  }, [name, value, isKnown]);
}
