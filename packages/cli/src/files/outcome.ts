import { ApiError, NotSettledError } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { typeable } from '../hints.ts';
import { withNames } from '../known-names.ts';
import { coloursFor } from '../output/colours.ts';
import { reportOf } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import type { Manifest } from './manifest.ts';
import { labelOf } from './order.ts';

/** Whether an error is about one resource, so that work on the others can go on. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError ||
    error instanceof NotSettledError ||
    (error instanceof Failure && error.ending === 'refused')
  );
}

export function reportRefusal(manifest: Manifest, error: unknown, { stderr, env, known }: Terminal): void {
  const colours = coloursFor(stderr, env);
  const [what = '', ...hints] = reportOf(error).lines;
  stderr.write(
    `${colours.red('error:')} ${labelOf(manifest)}, defined at ${manifest.at('')}: ${withNames(what, known)}\n`,
  );
  for (const hint of hints) stderr.write(`${colours.dim(typeable(hint, env))}\n`);
}

/** Ends the command with a failure if a step failed. */
export function summarise(failed: number, all: number, done: string): void {
  if (failed > 0)
    throw new Failure('refused', `${failed} of ${all} could not be ${done}`, 'run the same command again to continue');
}
