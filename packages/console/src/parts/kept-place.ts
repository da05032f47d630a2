import { useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

import { waits } from '../limits.ts';
import { platform } from '../platform.ts';

/** The window, or a part of the page that is scrolled by itself, with the id that it has for the router. */
interface Scroller {
  readonly id?: string;
  readonly element: () => Element | null;
}

/**
 * Scrolls to where the user was at the last visit of this page. The router does this when the page is drawn, which is
 * too early for content that is still being fetched: the place is taken as soon as there is enough to scroll.
 */
export function useKeptPlace({ id, element }: Scroller): void {
  const visit = useLocation({ select: ({ state }) => state.__TSR_key });
  const top = useElementScrollRestoration(id === undefined ? { getElement: () => window } : { id })?.scrollY ?? 0;
  useEffect(() => {
    if (top === 0) return;
    const begun = platform.now();
    let isWaiting = true;
    const attempt = () => {
      const scroller = element();
      if (!isWaiting || !scroller) return;
      if (scroller.scrollHeight - scroller.clientHeight >= top) scroller.scrollTop = top;
      else if (platform.now() - begun < waits.content_ms) platform.frame(attempt);
    };
    const giveUp = () => {
      isWaiting = false;
    };
    attempt();
    for (const event of signsOfUser) addEventListener(event, giveUp, { capture: true, passive: true });
    return () => {
      giveUp();
      for (const event of signsOfUser) removeEventListener(event, giveUp, { capture: true });
    };
    // Only at the beginning of a visit: the place that the router knows changes while the user scrolls.
  }, [visit]);
}

/** What a user does who no longer wants to be taken to the former place. */
const signsOfUser = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
