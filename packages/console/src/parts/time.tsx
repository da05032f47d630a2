import { useEffect, useSyncExternalStore } from 'react';

import { platform } from '../platform.ts';
import { preferences, usePreferences } from '../session/preferences.ts';
import { serverNow } from '../session/server-clock.ts';
import { languages } from '../words/language.ts';
import { words } from '../words/index.ts';
import { Tooltip } from './tooltip.tsx';

const { language } = preferences();
const relative = new Intl.RelativeTimeFormat(languages[language].numbers, { numeric: 'always', style: 'narrow' });

interface Formats {
  readonly absolute: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
}

const known = new Map<string, Formats>();

/** How times are written in a zone. An empty name is the zone of the system. */
function formatsIn(timeZone: string): Formats {
  const made = known.get(timeZone);
  if (made) return made;
  const zone = timeZone === '' ? {} : { timeZone };
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(languages[language].times, { ...zone, ...options });
  const formats = {
    absolute: format({ dateStyle: 'medium', timeStyle: 'long' }),
    clock: format({ timeStyle: 'medium' }),
    day: format({ dateStyle: 'full' }),
  };
  known.set(timeZone, formats);
  return formats;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago, or in how long, in one unit. */
export function relativeTime(time_ms: number, now_ms: number): string {
  const seconds = Math.round((time_ms - now_ms) / 1000);
  if (Math.abs(seconds) < 5) return words.parts.now;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units[3];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** The age of something, such as `3 d`. */
export function ageOf(time: string, now_ms: number): string {
  const seconds = Math.max(0, Math.round((now_ms - Date.parse(time)) / 1000));
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? units[3];
  return `${Math.trunc(seconds / size)} ${unit === 'minute' ? 'min' : unit.charAt(0)}`;
}

/** The day of a time, such as `Tuesday 17 November 2026`. */
export function dayOf(time: string): string {
  return formatsIn(preferences().timeZone).day.format(Date.parse(time));
}

export function clockTime(time_ms: number): string {
  return formatsIn(preferences().timeZone).clock.format(time_ms);
}

/** Day, time and zone, such as `17 Nov 2026, 11:22:45 UTC`. */
export function absoluteTime(time_ms: number, timeZone = preferences().timeZone): string {
  return formatsIn(timeZone).absolute.format(time_ms);
}

/** One clock for all texts about time, so that they change together. It is that of the server. */
const listeners = new Set<() => void>();
let now_ms = serverNow();
let stop = () => {};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now_ms = serverNow();
    stop = platform.every(1_000, () => {
      now_ms = serverNow();
      for (const each of listeners) each();
    });
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

/** The time in whole steps; a component is only drawn again when the step changes. */
export function useNow(step_ms = 1_000): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now_ms / step_ms) * step_ms);
}

/** The time that a text is relative to. What happened since the last step is not in the future. */
export function nowFor(time_ms: number, step_ms: number, now_ms: number): number {
  return time_ms > step_ms && time_ms <= now_ms ? time_ms : step_ms;
}

/** A time relative to now; the exact time is in a tooltip. */
export function Time({ at }: { readonly at: string | undefined }) {
  const now = useNow(10_000);
  const { timeZone } = usePreferences();
  if (at === undefined) return <span className="text-muted">{words.parts.unknownTime}</span>;
  const time = Date.parse(at);
  return (
    <Tooltip text={absoluteTime(time, timeZone)}>
      <time dateTime={at} tabIndex={-1} className="whitespace-nowrap tabular">
        {relativeTime(time, nowFor(time, Math.max(now, serverNow() - 10_000), serverNow()))}
      </time>
    </Tooltip>
  );
}

/** How old something is. Only this text is drawn again when time passes, and not the row that it is in. */
export function Age({ since }: { readonly since: string }) {
  return <span className="text-muted tabular">{ageOf(since, useNow(10_000))}</span>;
}

/** Counts down to a time. */
export function Countdown({ to, onEnd }: { readonly to: string; readonly onEnd?: () => void }) {
  const seconds = Math.ceil((Date.parse(to) - useNow()) / 1000);
  const over = seconds <= 0;
  useEffect(() => {
    if (over) onEnd?.();
  }, [over, onEnd]);
  return <span className="tabular">{over ? words.parts.now : words.parts.inSeconds(seconds)}</span>;
}
