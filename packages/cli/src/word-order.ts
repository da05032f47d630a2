import type { Command } from 'commander';

/** The command that is meant by those who say the verb first, as other tools have it: `delete instance web`. */
export function inOurOrder(program: Command, [verb, noun, ...rest]: readonly string[]): string | undefined {
  const command = named(program, noun);
  const meant = command && named(command, verb);
  return meant && ['unikorn', command.name(), meant.name(), ...rest].join(' ');
}

function named({ commands }: Command, word: string | undefined): Command | undefined {
  return commands.find((command) => word !== undefined && [command.name(), ...command.aliases()].includes(word));
}
