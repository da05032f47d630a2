import { useEffect, useState, type ReactNode } from 'react';

import { number, words } from '../words/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export interface Chip {
  /** Empty for all rows. */
  readonly key: string;
  readonly title: string;
  /** Undefined until it is known. */
  readonly count: number | undefined;
}

export interface FilterBarProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly chips?: readonly Chip[];
  readonly chip?: string;
  readonly onChip?: (key: string) => void;
  /** Whether more rows are still arriving, so that the counts are not final. */
  readonly loading?: boolean;
  /** More controls, at the end. */
  readonly children?: ReactNode;
}

/** The filter of a list: a text, groups with their counts, and more controls. Its state belongs in the address. */
export function FilterBar(props: FilterBarProps) {
  const { label, text, onText, chips = [], chip = '', onChip, loading = false, children } = props;
  const [typed, setTyped] = useState(text);
  // The address can change on its own: the back button, a link, the palette.
  useEffect(() => {
    setTyped(text);
  }, [text]);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="relative w-full sm:w-72">
        <Icon name="search" className="pointer-events-none absolute start-2.5 top-2 text-muted" />
        <input
          type="search"
          data-filter
          aria-label={label}
          placeholder={label}
          value={typed}
          className="h-8 w-full rounded-md border border-field-line bg-surface ps-8 pe-2"
          onChange={(event) => {
            setTyped(event.target.value);
            onText(event.target.value);
          }}
        />
      </div>
      {chips.length > 0 && (
        <div role="group" aria-label={label} className="flex flex-wrap items-center gap-1">
          {chips.map(({ key, title, count }) => (
            <button
              key={key}
              type="button"
              aria-pressed={chip === key}
              className="flex h-8 items-center gap-1.5 rounded-md px-2.5 text-muted hover:bg-hover aria-pressed:bg-selected aria-pressed:font-medium aria-pressed:text-accent-text"
              onClick={() => onChip?.(key)}
            >
              {title}
              <span className="text-sm tabular">{count === undefined ? '–' : number(count)}</span>
            </button>
          ))}
        </div>
      )}
      {loading && (
        <span role="status" className="text-sm text-muted">
          {words.parts.loading}
        </span>
      )}
      <div className="ms-auto flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}

/** A filter that is on, with a click that removes it. */
export function FilterChip({
  text,
  onRemove,
  className = '',
}: {
  readonly text: string;
  readonly onRemove: () => void;
  readonly className?: string;
}) {
  return (
    <button
      type="button"
      aria-label={words.parts.removeFilter(text)}
      className={`flex h-8 max-w-60 min-w-0 items-center gap-1.5 rounded-md bg-selected px-2.5 text-accent-text hover:bg-hover ${className}`}
      onClick={onRemove}
    >
      <span className="truncate">{text}</span>
      <Icon name="cross" className="size-3.5" />
    </button>
  );
}

/** Instead of the rows, if the filters leave none. */
export function NothingMatches({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3">
      {words.parts.nothingMatches}
      <Button onClick={onClear}>{words.parts.clearFilters}</Button>
    </div>
  );
}
