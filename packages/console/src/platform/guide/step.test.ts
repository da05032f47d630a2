import { expect, it } from 'vitest';

import { fittingStep, steps } from './step.ts';

it('a step fits the state of the region, also if somebody else changed it', () => {
  const fitting = (service: 'up' | 'down') => steps.map((step) => fittingStep(step, service));
  expect(fitting('up')).toEqual(['start', 'down', 'down', 'back', 'back', 'done']);
  expect(fitting('down')).toEqual(['start', 'create', 'create', 'wait', 'wait', 'done']);
});
