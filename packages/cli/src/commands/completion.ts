import { Argument, type Command } from 'commander';

import { shells, type Shell } from '../completion/scripts.ts';
import { withExamples } from '../examples.ts';
import type { Terminal } from '../terminal.ts';

export function registerCompletion(program: Command, terminal: Terminal): void {
  const completion = program
    .command('completion')
    .description('print a script for shell completion of commands, flags and names')
    .addArgument(new Argument('<shell>').choices(shells));
  withExamples(
    completion,
    'source <(unikorn completion bash)',
    'unikorn completion bash > ~/.local/share/bash-completion/completions/unikorn',
    'unikorn completion zsh > "${fpath[1]}/_unikorn"',
    'unikorn completion fish > ~/.config/fish/completions/unikorn.fish',
  ).action(async (shell: Shell) => {
    const { scripts } = await import('../completion/scripts.ts');
    terminal.stdout.write(scripts[shell]);
  });
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { printCompletion } = await import('../completion/action.ts');
      await printCompletion(program, words, terminal);
    });
}
