import { healthySimulation } from '@unikorn/sdk';

import { shellWord } from '../../parts/equivalent.ts';
import type { Knobs } from '../region/queries.ts';

export const delays = [
  'call_ms',
  'build_ms',
  'power_ms',
  'delete_ms',
  'image_ms',
  'loadBalancer_ms',
  'fileStorage_ms',
] as const satisfies readonly (keyof Knobs)[];

export const shares = [
  'errorRate',
  'lostResponseRate',
  'notFoundRate',
  'buildFailureRate',
] as const satisfies readonly (keyof Knobs)[];

const second = 1_000;
const minute = 60 * second;

/** Small values matter most, so the steps grow. A call takes at most a minute. */
const durations = [
  0,
  20,
  50,
  100,
  200,
  500,
  second,
  2 * second,
  3 * second,
  5 * second,
  10 * second,
  15 * second,
  20 * second,
  30 * second,
  minute,
];
const longDurations = [...durations, 2 * minute, 5 * minute, 10 * minute, 30 * minute, 60 * minute];
const percents = [0, 1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100].map((percent) => percent / 100);

/** The stops of a slider. The current value is one of them, also if somebody set it to another number. */
export function stepsFor(key: (typeof delays)[number] | (typeof shares)[number], current: number): readonly number[] {
  const steps = key === 'call_ms' ? durations : key.endsWith('_ms') ? longDurations : percents;
  return steps.includes(current) ? steps : [...steps, current].toSorted((one, other) => one - other);
}

/** @example durationText(90_000) // 1.5 min */
export function durationText(value_ms: number): string {
  if (value_ms < second) return `${value_ms} ms`;
  if (value_ms < minute) return `${value_ms / second} s`;
  return `${Math.round((10 * value_ms) / minute) / 10} min`;
}

export function shareText(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}

export const presets = {
  down: { service: 'down' },
  slow: { call_ms: 2 * second, build_ms: 2 * minute, power_ms: 20 * second, delete_ms: 30 * second },
  lossy: { errorRate: 0.2, lostResponseRate: 0.1, notFoundRate: 0.05 },
  reset: healthySimulation,
} as const satisfies Readonly<Record<string, Partial<Knobs>>>;

/** The settings of a draft that differ from the saved ones. */
export function changesOf(saved: Knobs, draft: Partial<Knobs>): Partial<Knobs> {
  const differs = (key: string) => JSON.stringify(Reflect.get(draft, key)) !== JSON.stringify(Reflect.get(saved, key));
  const changes: Partial<Knobs> = { ...draft };
  for (const key of Object.keys(draft)) if (!differs(key)) Reflect.deleteProperty(changes, key);
  return changes;
}

/** The command that makes the same changes. */
export function commandOf(region: string, saved: Knobs, { places, ...changes }: Partial<Knobs>): string {
  const capacities = places
    ? [...new Set([...Object.keys(saved.places), ...Object.keys(places)])]
        .filter((flavor) => places[flavor] !== saved.places[flavor])
        .map((flavor) => [`places.${flavor}`, places[flavor] ?? ''] as const)
    : [];
  return [
    `npx unikorn region simulation ${shellWord(region)}`,
    ...[...Object.entries(changes), ...capacities].map(([name, value]) => `--set ${shellWord(`${name}=${value}`)}`),
  ].join(' \\\n  ');
}
