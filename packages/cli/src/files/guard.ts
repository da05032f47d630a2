import type { InstancePlan } from '@unikorn/sdk';

import { agrees, demandConsent, statementOf, type Destruction } from '../ask.ts';
import { Failure } from '../failure.ts';
import { permissions, verdictOn, type Consent } from '../instance/consent.ts';
import { readInstance, type Found } from '../instance/found.ts';
import { planOf, planText, updateOf, type Wanted } from '../instance/plan.ts';
import { agreedUpdate } from '../instance/update.ts';
import type { Named } from '../nouns/noun.ts';
import type { Printing } from '../output/print.ts';
import type { Terminal } from '../terminal.ts';
import { removalsBy } from '../verbs/removal.ts';
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
 * Asks once for the confirmation of all disruptive changes of instances and of everything that is destroyed, before
 * anything is changed. Returns the allowed disruption of each instance.
 */
export async function consents(
  planned: readonly Planned[],
  destructions: readonly Destruction[],
  consent: Consent,
  terminal: Terminal,
): Promise<(step: Step) => Consent> {
  const verdicts = planned.map((each) => ({ each, verdict: verdictOn(each.plan, consent) }));
  const plans = await Promise.all(
    verdicts
      .filter(({ verdict: { type } }) => type === 'ask' || type === 'refuse')
      .map(({ each: { printing, current, plan } }) => planText(printing, current, plan, terminal.stderr)),
  );
  const open = consent.yes ? [] : destructions;
  const refusal = verdicts.flatMap(({ verdict }) => (verdict.type === 'refuse' ? [verdict.why] : []))[0];
  if (refusal !== undefined) {
    (terminal.loud ?? terminal.stderr).write(plans.join(''));
    const others = open.map((each) => `this also ${statementOf(each)}: only --yes confirms it`);
    throw new Failure('refused', refusal, ...others, 'nothing was changed');
  }
  if (plans.length === 0) await demandConsent(terminal, consent, ...open);
  else if (
    !(await agrees(
      terminal,
      [...plans, ...open.map((each) => `this also ${statementOf(each)}\n`), 'Proceed?'].join(''),
    ))
  )
    throw new Failure('refused', 'nothing was changed');
  return (step) => {
    const plan = planned.find((each) => each.step === step)?.plan;
    return { ...consent, interactive: false, ...(plan ? agreedTo(plan, consent) : {}) };
  };
}

export const dryRunHint = '--dry-run shows everything that would be done';

/** The access that the changes take away, such as the members that a file of a group no longer contains. */
export async function removalsIn(steps: readonly Step[]): Promise<readonly Destruction[]> {
  const removals = await Promise.all(
    steps.map(async (step) =>
      step.action === 'update' ? removalsBy(step.session, step.manifest.noun, step.existing, step.comparison.next) : [],
    ),
  );
  return removals.flat().map((each) => ({ ...each, hint: dryRunHint }));
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
