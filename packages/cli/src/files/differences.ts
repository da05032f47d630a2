import { valueAt, withValueAt, type Fields } from '../documents.ts';
import { planText } from '../instance/plan.ts';
import type { Noun } from '../nouns/noun.ts';
import { coloursFor } from '../output/colours.ts';
import type { Printing } from '../output/print.ts';
import { asBody } from './document.ts';
import { isGuarded, isWaiting, plansFor } from './guard.ts';
import { labelOf } from './order.ts';
import type { Step } from './plan.ts';
import { renderDifference, type Difference } from './render-diff.ts';
import { spelled, spellingsOf } from './spelling.ts';

/**
 * Prints the differences between resources and files, and the effect of applying them on instances. Returns the number
 * of resources that differ.
 */
export async function showDifferences(steps: readonly Step[], printing: Printing): Promise<number> {
  const { terminal } = printing;
  const plans = await plansFor(steps, printing);
  const different = steps.filter(({ action }) => action !== 'none');
  for (const step of different) {
    terminal.stdout.write(
      renderDifference(await differenceOf(step, printing), coloursFor(terminal.stdout, terminal.env)),
    );
    const planned = plans.find((each) => each.step === step);
    if (planned) terminal.stdout.write(await planText(printing, planned.current, planned.plan, terminal.stdout));
    else if (isGuarded(step) && step.action === 'update' && isWaiting(step))
      terminal.stdout.write(
        `the effect on ${step.manifest.name} is not known before everything that it refers to exists\n`,
      );
  }
  return different.length;
}

async function differenceOf(step: Step, { names }: Printing): Promise<Difference> {
  const { manifest } = step;
  const kind = manifest.noun.name;
  const told = { label: labelOf(manifest), at: manifest.at('') };
  if (step.action === 'create')
    return { ...told, before: undefined, after: withoutSecrets(manifest.noun, { kind, ...manifest.body }) };
  const { current, next } = step.comparison;
  const spellings = await spellingsOf(step, asBody(current), names);
  return {
    ...told,
    before: { kind, ...asBody(spelled(current, spellings)) },
    after: { kind, ...asBody(spelled(next, spellings)) },
  };
}

function withoutSecrets({ fields }: Noun, document: Fields): Fields {
  return fields
    .filter(({ type, path }) => type === 'secret' && valueAt(document, path) !== undefined)
    .reduce((shown, { path }) => withValueAt(shown, path, '(not shown)'), document);
}
