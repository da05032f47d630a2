import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';
import { yesOption, type YesOption } from '../yes-option.ts';

const actions = () => import('../contexts/actions.ts');

export function registerContext(program: Command, terminal: Terminal): Command {
  const context = program
    .command('context')
    .aliases(['contexts', 'ctx'])
    .description('control planes that you are logged in to, each with a current organization, project and region');
  addLooking(context, terminal);
  addChoosing(context, terminal);
  addTidying(context, terminal);
  return context;
}

function addLooking(context: Command, terminal: Terminal): void {
  const list = context.command('list', { isDefault: true }).alias('ls').description('list contexts');
  withExamples(list, 'unikorn context list', 'unikorn context list -o json').action(async () => {
    await (await actions()).listContexts(list.optsWithGlobals<GlobalOptions>(), terminal);
  });
  const show = context
    .command('show')
    .alias('get')
    .description('show a context')
    .argument('[name]', 'the current context by default');
  withExamples(show, 'unikorn context show', 'unikorn context show cloud.example.com -o json').action(
    async (name: string | undefined) => {
      await (await actions()).showContext(name, show.optsWithGlobals<GlobalOptions>(), terminal);
    },
  );
}

function addChoosing(context: Command, terminal: Terminal): void {
  const use = context.command('use').description('make a context the current one').argument('<name>');
  withExamples(use, 'unikorn context use cloud.example.com').action(async (name: string) => {
    await (await actions()).switchContext(name, terminal);
  });
  const set = context
    .command('set')
    .description('set the current organization, project or region of a context; an empty text removes it')
    .argument('[name]', 'the current context by default');
  withExamples(set, 'unikorn context set --project web', 'unikorn context set cloud.example.com --region ""').action(
    async (name: string | undefined) => {
      await (await actions()).setDefaults(name, set.optsWithGlobals<GlobalOptions>(), terminal);
    },
  );
}

function addTidying(context: Command, terminal: Terminal): void {
  const rename = context
    .command('rename')
    .description('give a context another name')
    .argument('<name>')
    .argument('<new-name>');
  withExamples(rename, 'unikorn context rename cloud.example.com production').action(
    async (from: string, to: string) => {
      await (await actions()).moveContext(from, to, terminal);
    },
  );
  const forget = context
    .command('delete')
    .alias('rm')
    .description('delete a context without ending its login; logout does both')
    .argument('<name>')
    .option(...yesOption);
  withExamples(forget, 'unikorn context delete cloud.example.com').action(async (name: string) => {
    await (await actions()).forgetContext(name, forget.opts<YesOption>(), terminal);
  });
}
