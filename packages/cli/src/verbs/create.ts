import { valueAt, type Fields } from '../documents.ts';
import { Failure } from '../failure.ts';
import { valuesOf } from '../field-values.ts';
import { demandRequired } from '../fields.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { printOne, type Printing } from '../output/print.ts';
import { create, list, nameOf, ownersOf } from '../resources.ts';
import type { Session } from '../session.ts';
import { refusedAsTyped } from '../typed.ts';
import type { WaitOptions } from '../wait/options.ts';
import { creation, type Common } from '../writing.ts';
import { opened, printOutcome, type Call } from './verb.ts';

export type CreateOptions = GlobalOptions & WaitOptions & Common & Fields;

export async function createVerb(call: Call<CreateOptions>, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  demandRequired(noun, options);
  const { session, printing } = await opened(call);
  await demandNew(session, noun, name);
  const values = await valuesOf(noun, 'create', options, session, terminal);
  const made = await create(session, noun, creation(noun, name, options, values, await ownersOf(session, noun))).catch(
    refusedAsTyped(noun, 'create'),
  );
  terminal.stderr.write(`${noun.name} ${name} created\n`);
  await printOutcome(call, session, made, (outcome) => printMade(noun, outcome, printing));
}

/** For the service, creating an existing user replaces the user, including the groups. So the command refuses it. */
async function demandNew(session: Session, noun: Noun, name: string): Promise<void> {
  if (noun.namePath === undefined || !(await list(session, noun)).some((object) => nameOf(noun, object) === name))
    return;
  throw new Failure('refused', `${noun.name} ${name} already exists`, `change it: unikorn ${noun.name} update ${name}`);
}

/** If a creation returns a secret, only the secret is printed, so that a program can store it. */
export async function printMade(noun: Noun, object: Named, printing: Printing): Promise<void> {
  const { terminal, format } = printing;
  const secret = noun.secretPath === undefined ? undefined : valueAt(object, noun.secretPath);
  if (typeof secret === 'string')
    terminal.stderr.write('this secret is not shown again; keep it where others cannot read it\n');
  if (typeof secret === 'string' && format === undefined) terminal.stdout.write(`${secret}\n`);
  else await printOne(noun, object, { ...printing, format: format ?? 'table' });
}
