import { useEffect, type ReactNode } from 'react';

import { limits } from '../limits.ts';
import { number, words } from '../words/index.ts';
import { Code } from './copy.tsx';
import { Icon, type IconName } from './icon.tsx';

/** A page: its title, what can be done there, and its content. The title is also that of the browser tab. */
export function Page({
  title,
  part = '',
  before,
  actions,
  children,
}: {
  readonly title: string;
  /** Which tab of the page is shown, for the title of the browser tab. */
  readonly part?: string | undefined;
  /** Beside the title, such as a status. */
  readonly before?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = [part, title, words.shell.product].filter((each) => each !== '').join(' · ');
  }, [part, title]);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-center gap-3">
          <h1 className="truncate text-xl font-semibold tracking-tight">{title}</h1>
          {before}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
  flush = false,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without space around the content, for tables. */
  readonly flush?: boolean;
}) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <div className="flex min-h-11 items-center justify-between gap-4 border-b border-line px-4 py-1.5">
        <h2 className="font-semibold">{title}</h2>
        {actions}
      </div>
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}

/** Names and values in two columns. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] items-baseline gap-x-6 gap-y-1.5">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

/** A list without content: what it is for, one thing to do, and the same as a command. */
export function Empty({
  icon,
  title,
  children,
  action,
  command,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly command?: string | undefined;
}) {
  return (
    <div className="grid flex-1 place-items-center rounded-lg border border-dashed border-line-strong p-8">
      <div className="flex w-full max-w-md min-w-0 flex-col items-center gap-3 text-center">
        <span className="grid size-10 place-items-center rounded-full bg-sunken text-muted">
          <Icon name={icon} className="size-5" />
        </span>
        <h2 className="text-lg font-semibold">{title}</h2>
        <div className="flex w-full min-w-0 flex-col gap-3 text-muted">{children}</div>
        {action}
        {command !== undefined && (
          <div className="w-full min-w-0 pt-2 text-start text-muted">
            <Code label={words.parts.command} text={command} wrap />
          </div>
        )}
      </div>
    </div>
  );
}

/** Says that a part of a page is empty, once that is known. */
export function Nothing({ loading, children }: { readonly loading: boolean; readonly children: string }) {
  return <p className="text-muted">{loading ? words.parts.loading : children}</p>;
}

/**
 * The first items of a list that is only a part of a page, and how many more there are. A region can have ten thousand
 * instances.
 */
export function FirstItems<Item>({
  items,
  children,
}: {
  readonly items: readonly Item[];
  readonly children: (item: Item) => ReactNode;
}) {
  const more = items.length - limits.firstItems;
  return (
    <>
      {items.slice(0, limits.firstItems).map(children)}
      {more > 0 && <li className="text-muted">{words.parts.andMore(number(more))}</li>}
    </>
  );
}

/** A remark that stays on the page. */
export function Notice({ tone = 'info', children }: { readonly tone?: 'info' | 'warn'; readonly children: ReactNode }) {
  const look = tone === 'warn' ? 'border-warn-mark/40 bg-warn-soft' : 'border-busy-mark/30 bg-busy-soft';
  return (
    <div className={`flex items-start gap-2 rounded-md border p-3 ${look}`}>
      <Icon
        name={tone === 'warn' ? 'warning' : 'info'}
        className={`mt-0.5 ${tone === 'warn' ? 'text-warn' : 'text-busy'}`}
      />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
