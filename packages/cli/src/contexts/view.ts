import { coloursFor } from '../output/colours.ts';
import type { OutputFormat } from '../output/format.ts';
import { documentText } from '../output/print.ts';
import { renderTable, widthOf } from '../output/table.ts';
import type { Terminal } from '../terminal.ts';
import { addressOf, type Contexts, type Kept } from './contexts.ts';

/** A context without its tokens, for display. */
export interface ContextView {
  readonly name: string;
  readonly current: boolean;
  readonly url: string;
  readonly auth: 'login' | 'token';
  readonly organization?: Kept;
  readonly project?: Kept;
  readonly region?: Kept;
}

export function contextViews({ current, contexts }: Contexts): readonly ContextView[] {
  return Object.entries(contexts).map(([name, { endpoints, auth, ...defaults }]) => ({
    name,
    current: name === current,
    url: addressOf(endpoints),
    auth: 'token' in auth ? 'token' : 'login',
    ...defaults,
  }));
}

export async function printContexts(
  views: readonly ContextView[],
  format: OutputFormat | undefined,
  terminal: Terminal,
): Promise<void> {
  if (format === 'json' || format === 'yaml') terminal.stdout.write(await documentText(format, views));
  else if (format === 'name') terminal.stdout.write(views.map(({ name }) => `${name}\n`).join(''));
  else if (views.length === 0) terminal.stderr.write('there are no contexts: unikorn login creates one\n');
  else terminal.stdout.write(tableOf(views, terminal));
}

export async function printContext(
  view: ContextView,
  format: OutputFormat | undefined,
  terminal: Terminal,
): Promise<void> {
  if (format === 'json' || format === 'yaml') terminal.stdout.write(await documentText(format, view));
  else await printContexts([view], format, terminal);
}

function tableOf(views: readonly ContextView[], { stdout, env }: Terminal): string {
  const { dim, green } = coloursFor(stdout, env);
  const columns = [
    '',
    { header: 'NAME', rank: 60 },
    { header: 'URL', rank: 60 },
    'AUTH',
    'ORGANIZATION',
    'PROJECT',
    'REGION',
  ];
  const row = ({ name, current, url, auth, organization, project, region }: ContextView) => [
    current ? { text: '*', paint: green } : ' ',
    name,
    url,
    auth,
    ...[organization, project, region].map((kept) => kept?.name ?? '-'),
  ];
  return renderTable(columns, views.map(row), { width: widthOf(stdout), paintHeader: dim });
}
