import { ApiError, dataOf, type Instance, type InstancePlan, type InstanceUpdate } from '@unikorn/sdk';

import { isFields, valueAt, type Fields } from '../documents.ts';
import { Failure } from '../failure.ts';
import { valuesOf } from '../field-values.ts';
import type { GlobalOptions } from '../global-options.ts';
import { instance } from '../nouns/instance.ts';
import { coloursFor } from '../output/colours.ts';
import { widthOf } from '../output/table.ts';
import type { Printing } from '../output/print.ts';
import type { Session } from '../session.ts';
import type { Output } from '../terminal.ts';
import { refusedAsTyped } from '../typed.ts';
import { demandChange } from '../verbs/update.ts';
import { alteration, type Common } from '../writing.ts';
import type { Permission } from './consent.ts';
import { at, found, type Found, type InstanceCall } from './found.ts';
import { printDocument } from './print.ts';
import { namesFor } from './references.ts';
import { referencesIn, renderPlan } from './render-plan.ts';

export type PlanOptions = GlobalOptions & Common & Fields;

/** The wanted update, as a function of the current instance. */
export type Wanted = (current: Instance) => InstanceUpdate;

/** An instance, and the changes that the flags request. */
export async function wantedOf(
  call: InstanceCall<PlanOptions>,
  name: string,
): Promise<Found & { readonly wanted: Wanted }> {
  const { terminal, options } = call;
  demandChange(instance, options);
  const target = await found(call, name);
  const values = await valuesOf(instance, 'update', options, target.session, terminal);
  return { ...target, wanted: (current) => updateOf(alteration(instance, current, options, values)) };
}

/** Prints the plan of an update, and ends as the update would end if it is refused. */
export async function planVerb(call: InstanceCall<PlanOptions>, name: string): Promise<void> {
  const { session, printing, current, wanted } = await wantedOf(call, name);
  const plan = await planOf(session, current, wanted).catch(refusedAsTyped(instance, 'update'));
  await printDocument(printing, plan, () => planText(printing, current, plan, call.terminal.stdout));
  if (plan.blockers.length > 0) throw new Failure('refused', 'the change would be refused');
}

export function planOf({ unikorn }: Session, current: Instance, wanted: Wanted): Promise<InstancePlan> {
  return dataOf(
    unikorn.compute.POST('/api/v2/instances/{instanceID}/plan', { ...at(current.metadata.id), body: wanted(current) }),
  );
}

/** Makes a planned change. The service refuses it if the plan is no longer valid. */
export function sendPlanned(
  { unikorn }: Session,
  current: Instance,
  wanted: Wanted,
  { token }: InstancePlan,
  allow: Permission | undefined,
): Promise<Instance> {
  const query = { planToken: token, ...(allow === undefined ? {} : { maxDisruption: allow }) };
  return dataOf(
    unikorn.compute.PUT('/api/v2/instances/{instanceID}', {
      params: { ...at(current.metadata.id).params, query },
      body: wanted(current),
    }),
  );
}

/** The service answers 409 if the plan is no longer valid. The next plan lists every other conflict as a blocker. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

/** Renders a plan as text, with colours where the stream supports them. */
export async function planText(
  { terminal, names }: Printing,
  current: Instance,
  plan: InstancePlan,
  output: Output,
): Promise<string> {
  if (plan.changes.length === 0 && plan.blockers.length === 0)
    return `${current.metadata.name} already has these settings: nothing would change\n`;
  return renderPlan(
    current.metadata.name,
    plan,
    await namesFor(referencesIn(plan), current, names),
    coloursFor(output, terminal.env),
    widthOf(output),
  );
}

/** A document with all fields that an update needs. */
export function updateOf(document: Fields): InstanceUpdate {
  if (isUpdate(document)) return document;
  throw new Failure('usage', 'an instance needs a flavor and an image');
}

function isUpdate(document: unknown): document is InstanceUpdate {
  return (
    isFields(document) &&
    ['metadata.name', 'spec.flavorId', 'spec.imageId'].every((path) => typeof valueAt(document, path) === 'string')
  );
}
