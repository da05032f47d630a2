import { structuredPatch } from 'diff';
import { stringify } from 'yaml';

import type { Fields } from '../documents.ts';
import type { Colours } from '../output/colours.ts';

/** The current content, and the content of the files. */
export interface Difference {
  /** Such as `network/web`. */
  readonly label: string;
  /** The position in the files. */
  readonly at: string;
  /** Undefined if the resource does not exist. */
  readonly before: Fields | undefined;
  readonly after: Fields;
}

/** A unified diff of YAML. */
export function renderDifference({ label, at, before, after }: Difference, colours: Colours): string {
  const { hunks } = structuredPatch('', '', before ? stringify(before) : '', stringify(after), undefined, undefined, {
    context: 3,
  });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    colours.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...changed.map((line) => painted(line, colours)),
  ]);
  return [
    colours.bold(`--- ${label} ${before ? '(current)' : '(does not exist)'}`),
    colours.bold(`+++ ${label} (${at})`),
    ...lines,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function painted(line: string, colours: Colours): string {
  if (line.startsWith('+')) return colours.green(line);
  return line.startsWith('-') ? colours.red(line) : line;
}
