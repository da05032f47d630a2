import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { coloursFor } from '../output/colours.ts';
import { renderFacts } from '../output/describe.ts';
import { ageText } from '../output/duration.ts';
import { documentText } from '../output/print.ts';
import { printRecords, type Records } from '../output/records.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { openFindings, type Finding, type Findings } from './open-findings.ts';
import type { OperatorsOptions } from './options.ts';

const findingRecords: Records<Finding> = {
  plural: 'findings',
  handle: ({ name }) => name,
  columns: [
    { header: 'NAME', value: ({ name }) => name },
    { header: 'CHECK', value: ({ checker }) => checker, rank: 80 },
    { header: 'ID', value: ({ id }) => id, exact: true, wide: true, rank: 25 },
    { header: 'MESSAGE', value: ({ message }) => message, flows: true, rank: 90 },
  ],
};

export async function listFindings(terminal: Terminal, options: OperatorsOptions): Promise<void> {
  const { answer, findings } = await openFindings(await openSession(terminal, options));
  // Without this line, nobody could tell a healthy platform from a process without a monitor.
  terminal.stderr.write(checkText(answer, terminal.now()));
  await printRecords(findingRecords, findings, { terminal, options, document: answer });
  if (answer.total > findings.length)
    terminal.stderr.write(`the list has the first ${findings.length} of ${answer.total} findings\n`);
}

export async function getFindings(terminal: Terminal, options: GlobalOptions, nameOrId: string): Promise<void> {
  const { answer, findings } = await openFindings(await openSession(terminal, options));
  const found = findings.filter(({ name, id }) => name === nameOrId || id === nameOrId);
  if (found.length === 0)
    throw new Failure(
      'notFound',
      `there is no open finding about ${nameOrId}`,
      checkText(answer, terminal.now()).trimEnd(),
    );
  const { output } = options;
  const { stdout, env } = terminal;
  if (output === 'json' || output === 'yaml')
    stdout.write(
      await documentText(
        output,
        answer.findings.filter(({ id }) => found.some((each) => each.id === id)),
      ),
    );
  else if (output !== undefined) await printRecords(findingRecords, found, { terminal, options, document: found });
  else stdout.write(found.map((finding) => describe(finding, coloursFor(stdout, env))).join('\n'));
}

function describe({ name, checker, id, message }: Finding, colours: ReturnType<typeof coloursFor>): string {
  return renderFacts(
    [
      { header: 'NAME', texts: [name] },
      { header: 'CHECK', texts: [checker] },
      { header: 'ID', texts: [id] },
      { header: 'MESSAGE', texts: [message] },
    ],
    colours,
  );
}

export function checkText({ checkedTime, process }: Pick<Findings, 'checkedTime' | 'process'>, now: Date): string {
  return checkedTime === undefined
    ? `the monitor runs in another process than ${process}, which has no list: ask the process that runs compute/monitor, or look at its metrics\n`
    : `the monitor checked ${ageText(checkedTime, now)} ago\n`;
}
