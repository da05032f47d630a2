import { waits } from '../limits.ts';
import type { BrowserPlatform } from '../platform.ts';

/**
 * Passes on the latest of many texts, at most one in each interval. Screen readers read every change of a live region,
 * so texts that change often would never end.
 */
export function announcer(
  { now, after }: Pick<BrowserPlatform, 'now' | 'after'>,
  say: (text: string) => void,
): (text: string) => () => void {
  let said_ms = -Infinity;
  return (text) =>
    after(Math.max(0, said_ms + waits.announcement_ms - now()), () => {
      said_ms = now();
      say(text);
    });
}
