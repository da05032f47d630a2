import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { parse, stringify } from 'yaml';

const source = join(dirname(import.meta.dirname), 'deploy/chart/files/alerts.yaml');

/** The alert rules of the chart as a rule file of Prometheus, for installations without the Prometheus operator. */
export async function alertsFile(notice: string): Promise<string> {
  const { rules } = parse(await readFile(source, 'utf8')) as { readonly rules: readonly object[] };
  return `# ${notice}\n${stringify({ groups: [{ name: 'unikorn', rules }] }, { lineWidth: 0 })}`;
}
