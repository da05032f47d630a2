import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { LoginOptions } from '../login/log-in.ts';
import type { Terminal } from '../terminal.ts';

export function registerLogin(program: Command, terminal: Terminal): Command {
  const login = program
    .command('login')
    .description('log in to a control plane, and use it from now on')
    .argument('[url]', 'address of the control plane; that of the current context unless given')
    .option('--no-browser', 'open no browser: print the address to open on any device, and read back the one it ends at')
    .option('--token <source>', '- reads the token of a service account from standard input');
  return withExamples(login, 'unikorn login https://cloud.example.com', 'unikorn login https://cloud.example.com --token - < token.txt').action(async (url: string | undefined) => {
    const { logIn } = await import('../login/log-in.ts');
    await logIn(url, login.optsWithGlobals<LoginOptions>(), terminal);
  });
}
