import { documentText, type Printing } from '../output/print.ts';

/** Prints a response that is not a resource: as text for users, or in the requested format. */
export async function printDocument(
  { terminal, format }: Printing,
  document: unknown,
  text: () => Promise<string>,
): Promise<void> {
  terminal.stdout.write(format === 'json' || format === 'yaml' ? await documentText(format, document) : await text());
}
