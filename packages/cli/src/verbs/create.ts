import { valueAt, type Fields } from '../documents.ts';
import { valuesOf } from '../field-values.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { printOne, type Printing } from '../output/print.ts';
import { create, ownersOf } from '../resources.ts';
import type { WaitOptions } from '../wait/options.ts';
import { creation, type Common } from '../writing.ts';
import { opened, outcomeOf, type Call } from './verb.ts';

export type CreateOptions = GlobalOptions & WaitOptions & Common & Fields;

export async function createVerb(call: Call<CreateOptions>, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { session, printing } = await opened(call);
  const values = await valuesOf(noun, 'create', options, session, terminal);
  const made = await create(session, noun, creation(noun, name, options, values, await ownersOf(session, noun)));
  terminal.stderr.write(`${noun.name} ${name} created\n`);
  await printMade(noun, await outcomeOf(call, session, made), printing);
}

/** A secret that is told only now is all that is printed of a new resource, so that it can be kept by a program. */
export async function printMade(noun: Noun, object: Named, printing: Printing): Promise<void> {
  const { terminal, format } = printing;
  const secret = noun.secretPath === undefined ? undefined : valueAt(object, noun.secretPath);
  if (typeof secret === 'string') terminal.stderr.write('this secret is not shown again; keep it where others cannot read it\n');
  if (typeof secret === 'string' && format === undefined) terminal.stdout.write(`${secret}\n`);
  else await printOne(noun, object, { ...printing, format: format ?? 'table' });
}
