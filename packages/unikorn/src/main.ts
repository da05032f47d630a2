import { Command, InvalidArgumentError, Option } from 'commander';

import { isProblem } from '@unikorn/core/errors';

import { logLevels, type ServeOptions } from './configuration.ts';
import { version } from './version.ts';

function port(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65535) throw new InvalidArgumentError('a port is a whole number from 0 (any free one) to 65535.');
  return number;
}

function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search !== '' || parsed.hash !== '') throw new InvalidArgumentError('a public URL is like https://cloud.example.com.');
  return text.replace(/\/$/, '');
}

function mailAddress(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError('an administrator is named by a mail address.');
  return text.toLowerCase();
}

function ratio(text: string): number {
  const number = Number(text);
  if (text === '' || !(number >= 0 && number <= 1)) throw new InvalidArgumentError('a sampling ratio is a number from 0 (never) to 1 (always).');
  return number;
}

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('it is a whole number of at least 1.');
  return number;
}

const state = () => new Option('--state <directory>', 'where the state is kept').env('UNIKORN_STATE').default('.unikorn');

// Each command imports what it needs: help and mistakes should not wait for a whole control plane to load.
const program = new Command('unikorn')
  .description('A multi-tenant control plane for virtual machines')
  .version(version)
  .showHelpAfterError('(add --help for what there is)');

program
  .command('serve')
  .description('run the control plane on its embedded store')
  .addOption(new Option('--port <number>', 'port to listen on; 0 takes any free one').env('UNIKORN_PORT').argParser(port).default(8080))
  .addOption(new Option('--host <address>', 'address to listen on').env('UNIKORN_HOST').default('127.0.0.1'))
  .addOption(new Option('--public-url <url>', 'where clients reach the server, when it is not the address it listens on').env('UNIKORN_PUBLIC_URL').argParser(url))
  .addOption(state())
  .addOption(new Option('--administrator <email>', 'mail address of the first administrator').env('UNIKORN_ADMINISTRATOR').argParser(mailAddress).default('admin@example.com'))
  .option('--no-demo', 'do not create demo data at the first start')
  .option('--ephemeral', 'keep the state in a temporary directory that goes when the server stops', false)
  .addOption(new Option('--log-level <level>', 'least severity that is logged').env('UNIKORN_LOG_LEVEL').choices(logLevels).default(process.stderr.isTTY ? 'warn' : 'info', 'warn on a terminal, else info'))
  .addOption(new Option('--monitor-period <seconds>', 'how often every server and instance is looked at').env('UNIKORN_MONITOR_PERIOD').argParser(count).default(60))
  .addOption(new Option('--monitor-concurrency <number>', 'how many questions the monitor has for clouds at once').env('UNIKORN_MONITOR_CONCURRENCY').argParser(count).default(8))
  .addOption(new Option('--server-create-attempts <number>', 'how often a server that its cloud fails to create is tried').env('UNIKORN_SERVER_CREATE_ATTEMPTS').argParser(count).default(3))
  .addOption(new Option('--otlp-endpoint <url>', 'where traces are sent; none are without it').env('UNIKORN_OTLP_ENDPOINT'))
  .addOption(new Option('--trace-sampling-ratio <ratio>', 'share of requests that are traced').env('UNIKORN_TRACE_SAMPLING_RATIO').argParser(ratio).default(0))
  .action(async (options: ServeOptions) => {
    const { serve } = await import('./serve/serve.ts');
    await serve(options);
  });

program
  .command('password')
  .description('give somebody a new password and print it; the server must not be running')
  .argument('<email>', 'mail address of a user')
  .addOption(state())
  .action(async (email: string, options: { readonly state: string }) => {
    const { newPassword } = await import('./password.ts');
    process.stdout.write(`${await newPassword(options.state, email)}\n`);
  });

program
  .command('backup')
  .description('copy the state to a new folder; a running server goes on meanwhile')
  .argument('<folder>', 'folder to write; it must not exist. Keep it as safe as the state itself')
  .addOption(state())
  .action(async (folder: string, options: { readonly state: string }) => {
    const { backup } = await import('./backup.ts');
    await backup(options.state, folder);
    process.stderr.write(`wrote ${folder}\n`);
  });

program
  .command('restore')
  .description('make the state of a backup; the server must not be running')
  .argument('<folder>', 'folder that backup wrote')
  .addOption(state())
  .option('--replace', 'replace the state that is there, which is then lost', false)
  .action(async (folder: string, options: { readonly state: string; readonly replace: boolean }) => {
    const { restore } = await import('./backup.ts');
    await restore(folder, options.state, options);
    process.stderr.write(`restored ${folder} to ${options.state}\n`);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!isProblem(error)) throw error;
  process.stderr.write(`unikorn: ${error.message}\n`);
  process.exitCode = 1;
}
