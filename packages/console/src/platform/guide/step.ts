import type { Knobs } from '../region/queries.ts';

export const steps = ['start', 'down', 'create', 'wait', 'back', 'done'] as const;
export type Step = (typeof steps)[number];

/**
 * The step that fits the state of the region. Somebody else may have brought it back or taken it down since the address
 * was made, and a step that was asked for twice must not do the same again.
 */
export function fittingStep(asked: Step, service: Knobs['service'] | undefined): Step {
  if (service === undefined) return asked;
  const isDown = service === 'down';
  switch (asked) {
    case 'start':
    case 'done':
      return asked;
    case 'down':
      return isDown ? 'create' : 'down';
    case 'create':
      return isDown ? 'create' : 'down';
    case 'wait':
      return isDown ? 'wait' : 'back';
    case 'back':
      return isDown ? 'wait' : 'back';
  }
}
