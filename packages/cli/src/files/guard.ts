import type { InstancePlan } from '@unikorn/sdk';

import { agrees } from '../ask.ts';
import { Failure } from '../failure.ts';
import { permissions, verdictOn, type Consent } from '../instance/consent.ts';
import { readInstance, type Found } from '../instance/found.ts';
import { planOf, planText, updateOf, type Wanted } from '../instance/plan.ts';
import { agreedUpdate } from '../instance/update.ts';
import type { Named } from '../nouns/noun.ts';
import type { Printing } from '../output/print.ts';
import { compared } from './compare.ts';
import { bodyOf } from './document.ts';
import type { Body } from './manifest.ts';
import type { Step } from './plan.ts';

/** A change of an instance, and its plan. */
export interface Planned extends Found {
  readonly step: Step;
  readonly plan: InstancePlan;
}

/**
 * Asks the service for the plans of the changes of instances. If a change refers to a resource that does not exist yet,
 * its effect is not known.
 */
export async function plansFor(steps: readonly Step[], printing: Printing): Promise<readonly Planned[]> {
  const changes = steps.flatMap((step) =>
    isGuarded(step) && step.action === 'update' && !isWaiting(step) ? [step] : [],
  );
  return Promise.all(
    changes.map(async (step) => {
      const { session, existing, objects } = step;
      const current = await readInstance(session, existing.metadata.id);
      return {
        step,
        session,
        printing,
        current,
        plan: await planOf(
          session,
          current,
          wantedOf(
            step,
            bodyOf(step, (reference) => objects.get(reference)),
          ),
        ),
      };
    }),
  );
}

export function isGuarded({ manifest }: Step): boolean {
  return manifest.noun.name === 'instance';
}

/** Whether it refers to a resource that does not exist yet. */
export function isWaiting({ links, objects }: Step): boolean {
  return links.some(({ reference }) => !objects.has(reference));
}

/**
 * Asks once for the confirmation of all disruptive changes, before anything is changed. Returns the allowed disruption
 * of each.
 */
export async function consents(planned: readonly Planned[], consent: Consent): Promise<(step: Step) => Consent> {
  const verdicts = planned.map((each) => ({ each, verdict: verdictOn(each.plan, consent) }));
  const shown = verdicts.filter(({ verdict: { type } }) => type === 'ask' || type === 'refuse').map(({ each }) => each);
  for (const { printing, current, plan } of shown)
    printing.terminal.stderr.write(await planText(printing, current, plan, printing.terminal.stderr));
  for (const { verdict } of verdicts)
    if (verdict.type === 'refuse') throw new Failure('refused', verdict.why, 'nothing was changed');
  const terminal = shown[0]?.printing.terminal;
  if (terminal && !(await agrees(terminal, 'Proceed?'))) throw new Failure('refused', 'nothing was changed');
  return (step) => {
    const plan = planned.find((each) => each.step === step)?.plan;
    return { ...consent, interactive: false, ...(plan ? agreedTo(plan, consent) : {}) };
  };
}

/** The confirmation is limited to the plan that was shown. */
function agreedTo({ action, losses }: InstancePlan, { yes }: Consent): Partial<Consent> {
  const allow = permissions.find((permission) => permission === action);
  if (yes) return {};
  return allow === undefined ? { yes: losses.length > 0 } : { allow };
}

/** Changes an instance, within the confirmed plan. */
export async function guardedUpdate(
  step: Step,
  existing: Named,
  body: Body,
  consent: Consent,
  printing: Printing,
): Promise<Named | undefined> {
  const { session } = step;
  const current = await readInstance(session, existing.metadata.id);
  return agreedUpdate({ session, printing, current }, wantedOf(step, body), consent);
}

function wantedOf({ manifest, vocabulary }: Step, body: Body): Wanted {
  return (current) => updateOf(compared(manifest.noun, vocabulary, current, body).next);
}
