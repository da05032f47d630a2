import type { Command } from 'commander';

/** The command with the noun first, for users who type the verb first as in other tools: `delete instance web`. */
export function inOurOrder(program: Command, [verb, noun, ...rest]: readonly string[]): string | undefined {
  const command = named(program, noun);
  const meant = command && named(command, verb);
  return meant && ['unikorn', command.name(), meant.name(), ...rest].join(' ');
}

function named({ commands }: Command, word: string | undefined): Command | undefined {
  return commands.find((command) => word !== undefined && [command.name(), ...command.aliases()].includes(word));
}
