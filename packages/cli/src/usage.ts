import type { Argument, Command, Option } from 'commander';

/** An argument in a usage line. */
export function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

export function optionsOf(command: Command): readonly Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

/** Such as `unikorn instance get <name or id> [options]`, or `unikorn apply -f <path> [options]`. */
export function usageOf(command: Command): string {
  return [
    pathOf(command),
    ...command.registeredArguments.map(argumentText),
    ...optionsOf(command).flatMap((option) => (option.mandatory ? [option.flags.replace(/, --\S+/, '')] : [])),
    ...(optionsOf(command).some(({ mandatory }) => !mandatory) ? ['[options]'] : []),
  ].join(' ');
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** After a mistake in a command, its usage line is shown; the list of commands only where commands can be chosen. */
export function withUsage(command: Command): Command {
  if (command.commands.length === 0) command.showHelpAfterError(`(usage: ${usageOf(command)}; --help shows more)`);
  else command.commands.forEach(withUsage);
  return command;
}
