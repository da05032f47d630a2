import { Differences, Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { reportOf } from '../report.ts';
import type { Call } from '../verbs/verb.ts';
import { showDifferences } from './differences.ts';
import { plannedSteps } from './plan.ts';
import { readSources, type FileOptions } from './sources.ts';

export type DiffOptions = GlobalOptions & FileOptions;

/** Ends with the exit codes of `diff`: one for differences, a greater one for errors. */
export async function diffVerb(call: Pick<Call<DiffOptions>, 'terminal' | 'options'>): Promise<void> {
  const different = await countDifferences(call).catch((error: unknown) => {
    throw asFailure(error);
  });
  if (different > 0) throw new Differences();
}

async function countDifferences(call: Pick<Call<DiffOptions>, 'terminal' | 'options'>): Promise<number> {
  const { terminal, options } = call;
  const { steps, printing } = await plannedSteps(call, await readSources(options, terminal));
  return showDifferences(steps, printing);
}

/** Unexpected errors have the exit code that means differences for this command, so they get another one. */
function asFailure(error: unknown): unknown {
  const {
    ending,
    lines: [message = '', ...hints],
  } = reportOf(error);
  if (ending !== 'unexpected') return error;
  const failure = new Failure('refused', message, ...hints);
  if (error instanceof Error && error.stack !== undefined) failure.stack = error.stack;
  return failure;
}
