import { ApiError } from '@unikorn/sdk';

import { demandConsent, type Destruction } from '../ask.ts';
import { valueAt } from '../documents.ts';
import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { beside, handleOf, nameOf, refusalOf, remove } from '../resources.ts';
import type { Session } from '../session.ts';
import type { WaitOptions } from '../wait/options.ts';
import { waitUntilGone } from '../wait/settle.ts';
import type { YesOption } from '../yes-option.ts';
import { contentsOf, enumerated } from './contents.ts';
import { opened, type Call } from './verb.ts';

export type DeleteOptions = GlobalOptions & WaitOptions & YesOption & { readonly ignoreProtection?: boolean };

export async function deleteVerb(call: Call<DeleteOptions>, names: readonly string[]): Promise<void> {
  const { terminal, noun, options } = call;
  const { session } = await opened(call);
  // All resources are looked up before any is deleted, so that a wrong name deletes nothing.
  const objects = await Promise.all(names.map((name) => find(session, noun, name)));
  if (!options.ignoreProtection)
    for (const object of objects) await demandDeletable(beside(session, object), noun, object);
  if (!options.yes) await demandConsent(terminal, options, await destructionOf(session, noun, objects));
  for (const object of objects)
    await remove(beside(session, object), noun, object.metadata.id, options).catch(ignoreAbsence);
  if (options.wait) await waitUntilGone(noun, objects, { session, terminal, timeout_ms: options.timeout });
  for (const object of objects)
    terminal.stderr.write(`${noun.name} ${nameOf(noun, object)} ${options.wait ? 'deleted' : 'is being deleted'}\n`);
}

/** The service decides whether it deletes the resource. This only adds how to end a protection with this CLI. */
async function demandDeletable(session: Session, noun: Noun, object: Named): Promise<void> {
  const refusal = await refusalOf(session, noun, object.metadata.id, 'delete');
  if (!refusal) return;
  const guard = noun.fields.find(({ flag }) => flag === noun.protection);
  const isProtected = guard !== undefined && valueAt(object, guard.path) === true;
  throw new Failure(
    refusal.reason.startsWith('your roles do not') ? 'forbidden' : 'refused',
    refusal.reason.replace('set ignoreProtection=true', 'add --ignore-protection'),
    ...(isProtected
      ? [`end the protection first: unikorn ${noun.name} update ${handleOf(noun, object)} --no-${guard.flag}`]
      : []),
  );
}

async function destructionOf(session: Session, noun: Noun, objects: readonly Named[]): Promise<Destruction> {
  return {
    verb: 'delete',
    what: `${noun.name} ${enumerated(objects.map((object) => nameOf(noun, object)))}`,
    losses: [...(noun.loss === undefined ? [] : [noun.loss]), ...(await contentsOf(session, noun, objects))],
  };
}

/** Another user may have deleted it in the meantime. */
export function ignoreAbsence(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
