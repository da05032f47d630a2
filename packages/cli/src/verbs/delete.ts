import { ApiError } from '@unikorn/sdk';

import { agrees, isInteractive } from '../ask.ts';
import { valueAt } from '../documents.ts';
import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { beside, handleOf, nameOf, refusalOf, remove } from '../resources.ts';
import type { Session } from '../session.ts';
import type { WaitOptions } from '../wait/options.ts';
import { waitUntilGone } from '../wait/settle.ts';
import { contentsOf, enumerated } from './contents.ts';
import { opened, type Call } from './verb.ts';

export type DeleteOptions = GlobalOptions &
  WaitOptions & { readonly yes?: boolean; readonly ignoreProtection?: boolean };

export async function deleteVerb(call: Call<DeleteOptions>, names: readonly string[]): Promise<void> {
  const { terminal, noun, options } = call;
  const { session } = await opened(call);
  // All resources are looked up before any is deleted, so that a wrong name deletes nothing.
  const objects = await Promise.all(names.map((name) => find(session, noun, name)));
  if (!options.ignoreProtection)
    for (const object of objects) await demandDeletable(beside(session, object), noun, object);
  await demandConsent(call, session, objects);
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

/** Every deletion is confirmed: by an answer, or by --yes. The question says what else is lost. */
async function demandConsent(
  { terminal, noun, options }: Call<DeleteOptions>,
  session: Session,
  objects: readonly Named[],
): Promise<void> {
  if (options.yes) return;
  const what = `${noun.name} ${enumerated(objects.map((object) => nameOf(noun, object)))}`;
  const lost = [...(noun.loss === undefined ? [] : [noun.loss]), ...(await contentsOf(session, noun, objects))];
  const losses = lost.length === 0 ? '' : `, and with it ${lost.join(': ')}`;
  if (!isInteractive(terminal))
    throw new Failure(
      'usage',
      `this deletes ${what}${losses}, and there is no terminal to ask for confirmation`,
      'add --yes to confirm',
    );
  if (!(await agrees(terminal, `Delete ${what}${losses}?`))) throw new Failure('refused', 'nothing was deleted');
}

/** Another user may have deleted it in the meantime. */
export function ignoreAbsence(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
