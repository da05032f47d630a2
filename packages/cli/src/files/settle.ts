import { NotSettledError } from '@unikorn/sdk';

import { diagnosisOf } from '../explain/explain.ts';
import { Failure } from '../failure.ts';
import { isSettled, settling } from '../wait/settle.ts';
import { waiting } from '../wait/waiting.ts';
import type { Application } from './carry-out.ts';
import { reportRefusal } from './outcome.ts';
import type { Step } from './plan.ts';
import { commandFor } from './sources.ts';

/**
 * Waits for all resources together. A failure does not stop the wait for the others; the failed resource no longer
 * counts as done.
 */
export async function untilSettled(steps: readonly Step[], { terminal, options, done }: Application): Promise<void> {
  const unsettled = steps.flatMap((step) => {
    const object = done.get(step.manifest);
    return object && !isSettled(step.manifest.noun, object) ? [{ step, object }] : [];
  });
  if (unsettled.length === 0) return;
  const failures = await waiting(
    terminal,
    { timeout_ms: options.timeout, onward: commandFor('apply', options) },
    (signal, progress) =>
      Promise.all(
        unsettled.map(async ({ step, object }) => {
          const {
            manifest: { noun },
            session,
          } = step;
          try {
            done.set(step.manifest, await settling(noun, object, { session, terminal, signal, progress }));
            return [];
          } catch (error) {
            if (!(error instanceof NotSettledError)) throw error;
            return [{ step, object, error }];
          }
        }),
      ),
  );
  for (const { step, object, error } of failures.flat()) {
    done.delete(step.manifest);
    const { noun } = step.manifest;
    const hints = noun.verbs.includes('explain') ? await diagnosisOf(noun)(step.session, object, terminal) : [];
    reportRefusal(step.manifest, new Failure('refused', error.message, ...hints), terminal);
  }
}
