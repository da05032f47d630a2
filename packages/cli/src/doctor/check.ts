import type { Colours } from '../output/colours.ts';

export type Verdict = 'good' | 'warning' | 'bad';

/** The result of one check, and what to do if it found a problem. */
export interface Check {
  readonly name: string;
  readonly verdict: Verdict;
  readonly found: string;
  readonly remedy?: string;
}

export function good(name: string, found: string): Check {
  return { name, verdict: 'good', found };
}

export function warning(name: string, found: string, remedy: string): Check {
  return { name, verdict: 'warning', found, remedy };
}

export function bad(name: string, found: string, remedy: string): Check {
  return { name, verdict: 'bad', found, remedy };
}

export function renderCheck({ name, verdict, found, remedy }: Check, colours: Colours): string {
  const marks = { good: colours.green('✓'), warning: colours.yellow('!'), bad: colours.red('✗') } as const;
  return `${marks[verdict]} ${name}: ${found}\n${remedy === undefined ? '' : colours.dim(`    ${remedy}\n`)}`;
}
