import { CSPProvider } from '@base-ui/react/csp-provider';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

import { connect } from '@unikorn/sdk';

import './styles.css';
import { limits } from './limits.ts';
import { Hub } from './live/hub.ts';
import { streamPlaces } from './live/stream-places.ts';
import { Problem } from './parts/problem.tsx';
import { TooltipProvider } from './parts/tooltip.tsx';
import { platform } from './platform.ts';
import { router } from './router.tsx';
import { ServicesContext } from './session/context.tsx';
import { followSystemTheme, showPreferences } from './session/preferences.ts';
import { providerAt } from './session/provider.ts';
import { reportingRefusals } from './session/refusals.ts';
import { datedFetch } from './session/server-clock.ts';
import { popupPrefix, Session, tellTabs } from './session/session.ts';
import { SignedOut } from './shell/shell.tsx';
import { words } from './words/index.ts';

const publicUrl = document.querySelector<HTMLMetaElement>('meta[name=unikorn-public-url]')?.content ?? location.origin;
const root = createRoot(document.getElementById('root') ?? document.body);

// A button that sends is blocked before the next event of the user, so that a double click sends one request. The
// default is a timer, which can come after the second click.
notifyManager.setScheduler(queueMicrotask);
showPreferences();
followSystemTheme();
void begin();

/** Logs in before anything is shown. A login works only at the public address, so the page goes there first. */
async function begin(): Promise<void> {
  const { origin, pathname, search, hash } = location;
  if (origin !== new URL(publicUrl).origin) {
    location.replace(`${publicUrl}${pathname}${search}${hash}`);
    return;
  }
  const session = new Session(providerAt(publicUrl));
  try {
    if (pathname === '/console/signed-out') {
      tellTabs('signed-out');
      show(<SignedOut />);
      return;
    }
    if (pathname === '/console/signed-in') {
      const state = new URLSearchParams(search).get('state') ?? '';
      tellTabs('signed-in');
      if (state.startsWith(popupPrefix)) {
        window.close();
        return;
      }
      history.replaceState(null, '', await session.complete(new URL(location.href)));
    } else if (!(await loggedInWhileLoading(session))) {
      await session.goToLogin(`${pathname}${search}${hash}`);
      return;
    }
    run(session);
  } catch (error) {
    show(
      <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-4 p-4">
        <h1 className="text-xl font-semibold">{words.shell.loginFailed}</h1>
        <Problem
          error={error instanceof Error ? error : new Error(String(error))}
          retry={() => {
            location.assign('/console/');
          }}
        />
      </main>,
    );
  }
}

/** The code of the page is loaded during the login, which takes several requests. */
async function loggedInWhileLoading(session: Session): Promise<boolean> {
  void router.load();
  return session.begin();
}

function run(session: Session): void {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        // The SDK repeats requests by itself.
        retry: false,
        staleTime: 5_000,
        throwOnError: false,
      },
    },
  });
  const api = connect({
    endpoints: publicUrl,
    token: session.token,
    platform: {
      fetch: reportingRefusals(
        // The pages decide how long they keep an answer. The catalogue of a region may be kept for a day, so the
        // browser would hide that an operator has changed it.
        (request) => datedFetch(request, { cache: 'no-cache' }),
        () => void queries.invalidateQueries({ queryKey: ['acl'] }),
      ),
    },
  });
  const hub = new Hub({
    now: platform.now,
    after: platform.after,
    pause: platform.pause,
    frame: platform.frame,
    isVisible: () => document.visibilityState === 'visible',
    onVisibility: (callback) => {
      document.addEventListener('visibilitychange', callback);
    },
    takePlace: streamPlaces(navigator.locks, limits.streamsOfBrowser),
  });
  show(
    <ServicesContext value={{ session, api, hub }}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ServicesContext>,
  );
}

function show(content: ReactNode): void {
  root.render(
    <StrictMode>
      <CSPProvider nonce={platform.nonce()}>
        <TooltipProvider delay={400}>{content}</TooltipProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
