import { Option, type Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { LoginOptions } from '../login/log-in.ts';
import type { Terminal } from '../terminal.ts';

export function registerLogin(program: Command, terminal: Terminal): Command {
  const login = program
    .command('login')
    .description('log in to a control plane, and make it the current context')
    .argument('[url]', 'address of the control plane; the address of the current context by default')
    .option(
      '--device',
      'do not open a browser: print an address and a code to log in on any device; the default if there is no browser',
    )
    .addOption(new Option('--no-browser', 'the same as --device').hideHelp())
    .option('--token <source>', 'log in with the token of a service account; - reads it from standard input');
  return withExamples(
    login,
    'unikorn login https://cloud.example.com',
    'unikorn login https://cloud.example.com --device',
    'unikorn login https://cloud.example.com --token - < token.txt',
  ).action(async (url: string | undefined) => {
    const { logIn } = await import('../login/log-in.ts');
    await logIn(url, login.optsWithGlobals<LoginOptions>(), terminal);
  });
}
