import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { coloursFor } from '../output/colours.ts';
import { documentText } from '../output/print.ts';
import type { Terminal } from '../terminal.ts';
import { renderCheck, type Check } from './check.ts';
import { examine, type InspectState } from './examine.ts';

export async function examineAll(
  options: GlobalOptions,
  terminal: Terminal,
  inspectState: InspectState | undefined,
): Promise<void> {
  const { stdout, env } = terminal;
  const format = options.output === 'json' || options.output === 'yaml' ? options.output : undefined;
  const checks: Check[] = [];
  for await (const check of examine(terminal, options, inspectState)) {
    checks.push(check);
    if (format === undefined) stdout.write(renderCheck(check, coloursFor(stdout, env)));
  }
  if (format !== undefined) stdout.write(await documentText(format, checks));
  const broken = checks.filter(({ verdict }) => verdict === 'bad');
  if (broken.length > 0) throw new Failure('refused', `problems found: ${broken.map(({ name }) => name).join(', ')}`);
}
