import { Link, useLocation } from '@tanstack/react-router';

export interface Tab {
  readonly to: string;
  readonly title: string;
}

/** The title of the tab that is shown, unless it is the first, which is the page itself. */
export function usePartOf(tabs: readonly Tab[]): string | undefined {
  const { pathname } = useLocation();
  return tabs.slice(1).find(({ to }) => pathname.endsWith(to))?.title;
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ to, title }, index) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: index === 0, includeSearch: false }}
          className="-mb-px flex h-9 items-center border-b-2 border-transparent px-3 whitespace-nowrap max-sm:px-1.5 text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
