const units = [
  { unit: 'd', size_s: 86_400 },
  { unit: 'h', size_s: 3_600 },
  { unit: 'm', size_s: 60 },
  { unit: 's', size_s: 1 },
] as const;

/** A short text with the two largest units while they are small, such as 45s, 2m30s, 3h, 5d. */
export function durationText(duration_ms: number): string {
  const total_s = Math.max(0, Math.floor(duration_ms / 1000));
  const largest = units.findIndex(({ size_s }) => total_s >= size_s);
  const { unit, size_s } = units[largest] ?? { unit: 's', size_s: 1 };
  const count = Math.floor(total_s / size_s);
  const next = units[largest + 1];
  const remainder = next && count < 10 ? Math.floor((total_s % size_s) / next.size_s) : 0;
  return `${count}${unit}${next && remainder > 0 ? `${remainder}${next.unit}` : ''}`;
}

/** The time since a moment; empty if there is none. */
export function ageText(time: string | undefined, now: Date): string {
  return time === undefined ? '' : durationText(now.getTime() - Date.parse(time));
}

/** The milliseconds of a text such as 90s, 10m or 1h30m; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+[dhms])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum_ms, [, count, unit]) =>
      sum_ms + Number(count) * 1000 * (units.find((known) => known.unit === unit)?.size_s ?? 0),
    0,
  );
}
