import { Link, Outlet, useLocation, useParams, type ErrorComponentProps } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';

import { useHealth } from '../live/use-live.ts';
import { Button, buttonLook, IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeptPlace } from '../parts/kept-place.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Mark } from '../parts/status.tsx';
import { clockTime } from '../parts/time.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { useSession } from '../session/context.tsx';
import { prefer } from '../session/preferences.ts';
import { useRights } from '../session/rights.ts';
import { words } from '../words/index.ts';
import { groupsFor } from './areas.ts';
import { useDropped } from './dropped.ts';
import { Palette, usePalette } from './palette.tsx';
import { usePlace } from './place.ts';
import { useRehearsal } from './rehearsal.ts';
import { useIsMissing } from './tenancy.ts';
import { useUndo } from './undo.ts';

/** Loaded after the page, which is usable without them: their menus are a large part of the library of widgets. */
const Switchers = lazy(async () => ({ default: (await import('./switchers.tsx')).Switchers }));
const RegionFilter = lazy(async () => ({ default: (await import('./switchers.tsx')).RegionFilter }));
const Tray = lazy(async () => ({ default: (await import('./tray.tsx')).Tray }));
const PersonMenu = lazy(async () => ({ default: (await import('./person.tsx')).PersonMenu }));
const RehearsalBanner = lazy(async () => ({ default: (await import('./rehearsal-banner.tsx')).RehearsalBanner }));
const UndoBar = lazy(async () => ({ default: (await import('./undo-bar.tsx')).UndoBar }));
const DroppedNotice = lazy(async () => ({ default: (await import('./dropped-notice.tsx')).DroppedNotice }));
const Expired = lazy(async () => ({ default: (await import('./expired.tsx')).Expired }));

/** The frame around all pages. */
export function Shell() {
  const session = useSession();
  const { href } = useLocation();
  const [drawer, setDrawer] = useState(false);
  const palette = usePalette();
  const rehearsal = useRehearsal();
  const undo = useUndo();
  useKeptPlace({ element: () => document.scrollingElement });
  const { dropped, forget } = useDropped();
  useEffect(() => {
    setDrawer(false);
  }, [href]);
  if (session.state === 'out') return <SignedOut />;
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only rounded-md bg-accent px-3 py-1 text-on-accent focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50"
      >
        {words.shell.skip}
      </a>
      {drawer && (
        <div
          aria-hidden="true"
          className="fixed inset-0 z-30 bg-overlay md:hidden"
          onClick={() => {
            setDrawer(false);
          }}
        />
      )}
      <Rail open={drawer} />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b border-line bg-page px-3 md:px-6">
          <IconButton
            label={words.shell.menu}
            aria-expanded={drawer}
            className="md:hidden"
            onClick={() => {
              setDrawer(!drawer);
            }}
          >
            <Icon name="menu" />
          </IconButton>
          <Suspense fallback={<span className="h-8" />}>
            <Switchers />
          </Suspense>
          <div className="ms-auto flex items-center gap-1">
            <button
              type="button"
              className="flex h-8 items-center gap-2 rounded-md border border-line-strong bg-surface px-2 text-muted hover:bg-hover max-lg:border-transparent max-lg:bg-transparent"
              onClick={palette.show}
            >
              <Icon name="search" />
              <span className="max-lg:sr-only">{words.shell.search}</span>
              <kbd
                aria-hidden="true"
                className="rounded border border-line bg-sunken px-1 font-sans text-xs max-lg:hidden"
              >
                Ctrl K
              </kbd>
            </button>
            <Connection />
            <Suspense fallback={<span className="h-8 w-17" />}>
              <Tray />
              <PersonMenu />
            </Suspense>
          </div>
        </header>
        <StaleBanner />
        <Suspense>{rehearsal && <RehearsalBanner rehearsal={rehearsal} />}</Suspense>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-[120rem] flex-1 flex-col p-4 outline-none md:px-6 md:py-5"
        >
          <Suspense>{dropped && <DroppedNotice parameters={dropped.parameters} onClose={forget} />}</Suspense>
          <Inside />
        </main>
      </div>
      <Suspense>{undo && <UndoBar key={undo.number} undo={undo} />}</Suspense>
      <Palette open={palette.open} onClose={palette.hide} />
      <Suspense>{session.state === 'expired' && <Expired />}</Suspense>
    </div>
  );
}

/** The page, if its project exists. Somebody without any right in an organization is not told whether it exists. */
function Inside() {
  const { org, project, id } = useParams({ strict: false });
  const place = usePlace();
  const rights = useRights(org);
  const isForeign = org !== undefined && rights.known && !rights.mayAnything(project);
  useEffect(() => {
    if (!isForeign) prefer({ organization: place.organization ?? '', project: place.project ?? '' });
  }, [isForeign, place.organization, place.project]);
  // The page of a resource that is gone with its project has its history.
  const isMissing = useIsMissing(org, rights.known && !isForeign && id === undefined ? project : undefined);
  return isForeign || isMissing ? <NotFound /> : <Outlet />;
}

function Rail({ open }: { readonly open: boolean }) {
  const place = usePlace();
  const rights = useRights(place.organization);
  return (
    <nav
      aria-label={words.shell.navigation}
      className={`sticky top-0 h-dvh w-56 shrink-0 flex-col gap-5 overflow-y-auto border-e border-line bg-surface px-3 py-3 max-md:fixed max-md:inset-y-0 max-md:start-0 max-md:z-40 ${open ? 'flex' : 'flex max-md:hidden'}`}
    >
      <Link to="/" className="flex h-7 items-center gap-2 rounded-md px-1.5 text-lg font-semibold tracking-tight">
        <img src="/console/icon.svg" alt="" className="size-5" />
        {words.shell.product}
      </Link>
      <Suspense>
        <RegionFilter className="w-full shrink-0 *:last:ms-auto sm:hidden" />
      </Suspense>
      {groupsFor(place, rights).map(({ title, entries }) => (
        <div key={title}>
          <h2 className="px-2 pb-1 text-xs font-medium text-muted">{title}</h2>
          <ul className="flex flex-col gap-px">
            {entries.map((entry) => (
              <li key={entry.path}>
                <Link
                  to={entry.path}
                  className="flex h-8 items-center gap-2.5 rounded-md px-2 text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
                >
                  <Icon name={entry.icon} />
                  {entry.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Connection() {
  const { freshness } = useHealth();
  const live = freshness === 'live';
  return (
    <Tooltip text={live ? words.shell.liveHint : words.shell.reconnecting}>
      <span tabIndex={0} role="status" className="flex h-8 items-center gap-2 rounded-md px-2 text-muted">
        <Mark tone={live ? 'good' : 'warn'} />
        <span className="max-lg:sr-only">{live ? words.shell.live : words.shell.reconnecting}</span>
      </span>
    </Tooltip>
  );
}

function StaleBanner() {
  const { freshness, asOf } = useHealth();
  if (freshness !== 'stale') return null;
  return (
    <div
      role="alert"
      className="flex items-center gap-2 border-b border-warn-mark/40 bg-warn-soft px-4 py-2 text-warn md:px-6"
    >
      <Icon name="warning" />
      {words.shell.staleBanner(asOf === undefined ? undefined : clockTime(asOf))}
    </div>
  );
}

export function SignedOut() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="flex max-w-sm flex-col items-center gap-3 text-center">
        <img src="/console/icon.svg" alt="" className="size-9" />
        <h1 className="text-xl font-semibold">{words.shell.signedOutTitle}</h1>
        <p className="text-muted">{words.shell.signedOutText}</p>
        <a href="/console/" className={buttonLook('primary')}>
          {words.shell.logIn}
        </a>
      </div>
    </main>
  );
}

export function NotFound() {
  return (
    <Page title={words.shell.notFoundTitle}>
      <p className="text-muted">{words.shell.notFoundText}</p>
      <Link to="/" className={`${buttonLook('primary')} self-start`}>
        {words.shell.home}
      </Link>
    </Page>
  );
}

/**
 * A page that threw an error. The frame stays. Another attempt loads everything again: a part of a former version may
 * be gone from the server.
 */
export function Crashed({ error }: ErrorComponentProps) {
  return (
    <Page title={words.shell.crashTitle}>
      <p className="text-muted">{words.shell.crashText}</p>
      <Problem error={error instanceof Error ? error : new Error(String(error))} />
      <Button
        className="self-start"
        onClick={() => {
          location.reload();
        }}
      >
        {words.parts.tryAgain}
      </Button>
    </Page>
  );
}
