import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { OperatorsOptions } from '../operators/options.ts';
import { addTableOptions } from '../output/table-options.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';

/** The work and the problems of the platform itself. Only its operators may read them. */
export function registerOperators(program: Command, terminal: Terminal): void {
  registerFinding(program, terminal);
  registerSaga(program, terminal);
  registerController(program, terminal);
}

function registerFinding(program: Command, terminal: Terminal): void {
  const command = program
    .command('finding')
    .alias('findings')
    .description('problems that the monitor of the platform found; only for operators');
  const list = command
    .command('list', { isDefault: true })
    .alias('ls')
    .description('list the open problems that the monitor found');
  addTableOptions(list);
  withExamples(list, 'unikorn finding list', 'unikorn finding list --sort check -o json').action(async () => {
    const { listFindings } = await import('../operators/findings.ts');
    await listFindings(terminal, list.optsWithGlobals<OperatorsOptions>());
  });
  const get = command
    .command('get')
    .alias('show')
    .argument('<name or id>', 'the instance or other object that the problem is about')
    .description('show the open problems of one object');
  withExamples(get, 'unikorn finding get web-1', 'unikorn finding get web-1 -o yaml').action(async (name: string) => {
    const { getFindings } = await import('../operators/findings.ts');
    await getFindings(terminal, get.optsWithGlobals<GlobalOptions>(), name);
  });
}

function registerSaga(program: Command, terminal: Terminal): void {
  const command = program
    .command('saga')
    .alias('sagas')
    .description('unfinished changes of several steps, in all services; only for operators');
  const list = command
    .command('list', { isDefault: true })
    .alias('ls')
    .description('list the unfinished sagas of all services; those that need an operator come first');
  addTableOptions(list);
  withExamples(list, 'unikorn saga list', 'unikorn saga list --columns name,status,attempts,message').action(
    async () => {
      const { listSagas } = await import('../operators/sagas.ts');
      await listSagas(terminal, list.optsWithGlobals<OperatorsOptions>());
    },
  );
  const get = command
    .command('get')
    .alias('show')
    .argument('<name or id>', 'which saga')
    .description('show an unfinished saga with its steps');
  withExamples(
    get,
    'unikorn saga get compute.instance.create',
    'unikorn saga get compute.instance.create -o json',
  ).action(async (name: string) => {
    const { getSaga } = await import('../operators/sagas.ts');
    await getSaga(terminal, get.optsWithGlobals<GlobalOptions>(), name);
  });
}

function registerController(program: Command, terminal: Terminal): void {
  const command = program
    .command('controller')
    .alias('controllers')
    .description('the work of the controllers, in all services; only for operators');
  const list = command
    .command('list', { isDefault: true })
    .alias('ls')
    .description('list the controllers of the processes that answer for the services, and how much work they have');
  addTableOptions(list);
  withExamples(list, 'unikorn controller list', 'unikorn controller list --sort=-oldest').action(async () => {
    const { listControllers } = await import('../operators/controllers.ts');
    await listControllers(terminal, list.optsWithGlobals<OperatorsOptions>());
  });
}
