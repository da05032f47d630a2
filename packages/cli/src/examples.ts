import type { Command } from 'commander';

const known = new WeakMap<Command, readonly string[]>();

/** Shows examples at the end of a command's help, and stores them for the reference. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  known.set(command, examples);
  return command.addHelpText('after', () => `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
}

export function examplesOf(command: Command): readonly string[] {
  return known.get(command) ?? [];
}
