import type { Instance, InstancePlan } from '@unikorn/sdk';

import { agrees, isInteractive } from '../ask.ts';
import { Failure } from '../failure.ts';
import { limits } from '../limits.ts';
import { instance } from '../nouns/instance.ts';
import type { Named } from '../nouns/noun.ts';
import { printOne } from '../output/print.ts';
import { refusedAsTyped } from '../typed.ts';
import { printOutcome } from '../verbs/verb.ts';
import type { WaitOptions } from '../wait/options.ts';
import { isAlready, isHarmful, verdictOn, type Consent, type Permission } from './consent.ts';
import { readInstance, type Found, type InstanceCall } from './found.ts';
import { isStale, planOf, planText, planVerb, sendPlanned, wantedOf, type PlanOptions, type Wanted } from './plan.ts';

export type InstanceUpdateOptions = PlanOptions &
  WaitOptions & { readonly yes?: boolean; readonly allow?: Permission; readonly dryRun?: boolean };

/** Changes an instance. If the change disrupts it or loses data, the user must confirm exactly this plan first. */
export async function updateInstanceVerb(call: InstanceCall<InstanceUpdateOptions>, name: string): Promise<void> {
  const { terminal, options } = call;
  if (options.dryRun) return planVerb(call, name);
  const target = await wantedOf(call, name);
  const { session, printing, current, wanted } = target;
  const { yes = false, allow } = options;
  const changed = await agreedUpdate(target, wanted, {
    yes,
    interactive: isInteractive(terminal),
    ...(allow === undefined ? {} : { allow }),
  }).catch(refusedAsTyped(instance, 'update'));
  const print = (outcome: Named) => printOne(instance, outcome, { ...printing, format: options.output ?? 'table' });
  terminal.stderr.write(
    changed
      ? `instance ${changed.metadata.name} updated\n`
      : `instance ${current.metadata.name} already has these settings: nothing was changed\n`,
  );
  await (changed ? printOutcome(call, session, changed, print) : print(current));
}

/**
 * Plans the update, asks for confirmation, and sends the token of the plan, so that the service does nothing else.
 * Undefined if there is nothing to change.
 */
export async function agreedUpdate(target: Found, wanted: Wanted, consent: Consent): Promise<Instance | undefined> {
  const {
    session,
    printing: { terminal },
  } = target;
  let { current } = target;
  for (let round = 1; ; round += 1) {
    const plan = await planOf(session, current, wanted);
    if (!(await isAgreed({ ...target, current }, plan, consent)) && isAlready(wanted(current), current))
      return undefined;
    try {
      return await sendPlanned(session, current, wanted, plan, consent.allow);
    } catch (error) {
      if (!isStale(error) || round === limits.planRounds) throw error;
      terminal.stderr.write(`instance ${current.metadata.name} has changed in the meantime; a new plan is made\n`);
      current = await readInstance(session, current.metadata.id);
    }
  }
}

/** Whether the plan changes something and is confirmed. */
async function isAgreed({ printing, current }: Found, plan: InstancePlan, consent: Consent): Promise<boolean> {
  const { terminal } = printing;
  const verdict = verdictOn(plan, consent);
  const shown =
    verdict.type === 'refuse' || isHarmful(plan) ? await planText(printing, current, plan, terminal.stderr) : '';
  switch (verdict.type) {
    case 'nothing':
      return false;
    case 'go':
      terminal.stderr.write(shown);
      return true;
    case 'ask':
      if (await agrees(terminal, `${shown}Proceed?`)) return true;
      throw new Failure('refused', 'nothing was changed');
    case 'refuse':
      (terminal.loud ?? terminal.stderr).write(shown);
      throw new Failure('refused', verdict.why, 'nothing was changed');
  }
}
