import { Failure } from '../failure.ts';
import { isGuarded, plansFor, type Planned } from '../files/guard.ts';
import { plannedSteps, type Step } from '../files/plan.ts';
import { readSources, type FileOptions } from '../files/sources.ts';
import type { Printing } from '../output/print.ts';
import type { InstanceCall } from './found.ts';
import { planText } from './plan.ts';
import { printDocument } from './print.ts';

/** Prints the effect of applying files on instances. */
export async function planFilesVerb(call: InstanceCall, files: FileOptions): Promise<void> {
  const { steps: all, printing } = await plannedSteps(call, await readSources(files, call.terminal));
  const steps = all.filter(isGuarded);
  if (steps.length === 0)
    throw new Failure(
      'usage',
      'the files contain no instance',
      'unikorn diff -f shows the differences of other resources',
    );
  const planned = await plansFor(steps, printing);
  const documents = planned.map(({ current, plan }) => ({ name: current.metadata.name, plan }));
  await printDocument(printing, documents, async () =>
    (
      await Promise.all(
        steps.map((step) =>
          stepText(
            step,
            planned.find((each) => each.step === step),
            printing,
          ),
        ),
      )
    ).join(''),
  );
  if (planned.some(({ plan }) => plan.blockers.length > 0)) throw new Failure('refused', 'the change would be refused');
}

async function stepText(
  { action, manifest: { name } }: Step,
  planned: Planned | undefined,
  printing: Printing,
): Promise<string> {
  switch (action) {
    case 'create':
      return `${name} would be created\n`;
    case 'none':
      return `${name} already has these settings: nothing would change\n`;
    case 'update':
      return planned
        ? planText(printing, planned.current, planned.plan, printing.terminal.stdout)
        : `the effect on ${name} is not known before everything that it refers to exists\n`;
  }
}
