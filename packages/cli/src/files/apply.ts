import { isInteractive } from '../ask.ts';
import type { Consent } from '../instance/consent.ts';
import { documentText } from '../output/print.ts';
import { carryOut, type Application, type ApplyCall } from './carry-out.ts';
import { showDifferences } from './differences.ts';
import { consents, plansFor, removalsIn } from './guard.ts';
import { labelOf, waves } from './order.ts';
import { summarise } from './outcome.ts';
import { demandAllowed, plannedSteps, type Step } from './plan.ts';
import { untilSettled } from './settle.ts';
import { leftOver, prune, pruningOf } from './prune.ts';
import { readSources } from './sources.ts';

/** Creates and changes resources so that they match the files. */
export async function applyVerb(call: ApplyCall): Promise<void> {
  const { terminal, options } = call;
  const { prune: set } = options;
  const { steps, session, printing } = await plannedSteps(call, await readSources(options, terminal), set);
  const left = set === undefined ? [] : await leftOver(set, steps, session);
  if (options.dryRun) {
    const different = await showDifferences(steps, printing);
    for (const { manifest } of left) terminal.stdout.write(`${labelOf(manifest)} would be deleted\n`);
    if (different + left.length === 0) terminal.stderr.write('nothing to change: everything matches the files\n');
    return;
  }
  await demandAllowed(steps);
  const { yes = false, allow } = options;
  const destructions = yes ? [] : [...(await removalsIn(steps)), ...(await pruningOf(left, set))];
  const consent: Consent = { yes, interactive: isInteractive(terminal), ...(allow === undefined ? {} : { allow }) };
  const consentFor = await consents(await plansFor(steps, printing), destructions, consent, terminal);
  const application: Application = { ...call, printing, consentFor, done: new Map() };
  for (const wave of waves(steps)) {
    await untilSettled(neededBy(wave, steps), application);
    for (const step of wave) await carryOut(step, application);
  }
  if (options.wait) await untilSettled(steps, application);
  await printDocuments(steps, application);
  summarise(steps.length - application.done.size, steps.length, 'applied');
  await prune(left, call);
}

/** Services refuse references to resources that are not provisioned, and an instance has an address only then. */
function neededBy(wave: readonly Step[], steps: readonly Step[]): readonly Step[] {
  const targets = wave
    .filter(({ action }) => action !== 'none')
    .flatMap(({ links }) => links.map(({ target }) => target));
  return steps.filter(({ manifest }) => targets.includes(manifest));
}

async function printDocuments(steps: readonly Step[], { terminal, options, done }: Application): Promise<void> {
  const { output } = options;
  if (output === 'name')
    terminal.stdout.write(
      steps
        .filter(({ manifest }) => done.has(manifest))
        .map(({ manifest }) => `${labelOf(manifest)}\n`)
        .join(''),
    );
  if (output === 'json' || output === 'yaml')
    terminal.stdout.write(
      await documentText(
        output,
        steps.flatMap(({ manifest }) => done.get(manifest) ?? []),
      ),
    );
}
