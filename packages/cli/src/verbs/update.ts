import { ApiError } from '@unikorn/sdk';

import type { Fields } from '../documents.ts';
import { Failure } from '../failure.ts';
import { valuesOf } from '../field-values.ts';
import { attributeOf, fieldsFor } from '../fields.ts';
import { find } from '../finding.ts';
import type { GlobalOptions } from '../global-options.ts';
import { limits } from '../limits.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { printOne } from '../output/print.ts';
import { nameOf, read, replace, within, type Versioned } from '../resources.ts';
import type { Session } from '../session.ts';
import { refusedAsTyped } from '../typed.ts';
import type { WaitOptions } from '../wait/options.ts';
import { alteration, type Common } from '../writing.ts';
import type { YesOption } from '../yes-option.ts';
import { demandRemoval } from './removal.ts';
import { opened, printOutcome, type Call } from './verb.ts';

export type UpdateOptions = GlobalOptions & WaitOptions & YesOption & Common & Fields;

export async function updateVerb(call: Call<UpdateOptions>, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  demandChange(noun, options);
  const { session, printing } = await opened(call);
  const object = await find(session, noun, name);
  const there = within(session, noun, object);
  const values = await valuesOf(noun, 'update', options, there, terminal);
  await demandRemoval(there, noun, object, alteration(noun, object, options, values), call);
  const changed = await changedOnce(there, noun, object.metadata.id, (current) =>
    alteration(noun, current, options, values),
  ).catch(refusedAsTyped(noun, 'update'));
  terminal.stderr.write(`${noun.name} ${nameOf(noun, changed)} updated\n`);
  await printOutcome(call, there, changed, (outcome) =>
    printOne(noun, outcome, { ...printing, format: options.output ?? 'table' }),
  );
}

/** An update without options is a mistake, and is not sent. */
export function demandChange(noun: Noun, options: Common & Fields): void {
  const flags = ['name', 'description', 'tag', 'untag', ...fieldsFor(noun, 'update').map(({ flag }) => flag)];
  if (flags.every((flag) => options[attributeOf(flag)] === undefined))
    throw new Failure(
      'usage',
      'nothing to change: no option was given',
      `unikorn ${noun.name} update --help shows what can be changed`,
    );
}

// Status writes of the platform also change the version, so there are more conflicts than changes by users.
/** Updates the current object, and tries again with the new one after a concurrent change. */
export async function changedOnce(
  session: Session,
  noun: Noun,
  id: string,
  change: (current: Named) => object,
): Promise<Named> {
  for (let attempt = 1; ; attempt += 1) {
    const current = await read(session, noun, id);
    try {
      return await replace(session, noun, current, change(current.object));
    } catch (error) {
      if (!isOvertaken(error, current) || attempt === limits.updateAttempts) throw error;
    }
  }
}

/**
 * With an ETag, a concurrent change is a 412. A 409 then has another cause, such as a name that is in use, and is not
 * retried.
 */
function isOvertaken(error: unknown, { etag }: Versioned): boolean {
  return error instanceof ApiError && error.status === (etag === undefined ? 409 : 412);
}
