import type { RegionRead } from '@unikorn/sdk';

import { conditionOf, type Condition } from '../../parts/status.tsx';
import { platformWords } from '../../words/platform.ts';
import type { Knobs } from './queries.ts';

const { states } = platformWords.regions;

/** The state of a region in one word. That of a simulated region is what its simulation says. */
export function regionCondition(region: RegionRead, knobs: Knobs | undefined): Condition {
  const condition = conditionOf(region);
  if (region.spec.type !== 'simulated' || !knobs || condition.word !== 'ready') return condition;
  if (knobs.service === 'down') return { tone: 'bad', word: states.down };
  const { errorRate, lostResponseRate, notFoundRate, buildFailureRate } = knobs;
  return errorRate + lostResponseRate + notFoundRate + buildFailureRate > 0
    ? { tone: 'warn', word: states.faulty }
    : { tone: 'good', word: states.up };
}
