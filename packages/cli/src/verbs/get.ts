import { find } from '../finding.ts';
import { printList, printOne } from '../output/print.ts';
import { opened, type Call } from './verb.ts';

export async function getVerb(call: Call, names: readonly string[]): Promise<void> {
  const { noun, options } = call;
  const { session, printing } = await opened(call);
  const objects = await Promise.all(names.map((name) => find(session, noun, name)));
  const [only, ...others] = objects;
  if (only && others.length === 0) await printOne(noun, only, printing);
  else await printList(noun, objects, { ...printing, format: options.output ?? 'table' });
}
