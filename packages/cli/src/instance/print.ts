import { documentText, type Printing } from '../output/print.ts';

/** Prints what an API said that is no resource: in the words for people, unless a program asks for it. */
export async function printDocument(
  { terminal, format }: Printing,
  document: unknown,
  text: () => Promise<string>,
): Promise<void> {
  terminal.stdout.write(format === 'json' || format === 'yaml' ? await documentText(format, document) : await text());
}
