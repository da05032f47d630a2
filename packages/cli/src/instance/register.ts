import { Option, type Command } from 'commander';

import { addChangeOptions, addFilterOptions, diagnosisFor, registerNoun } from '../commands/crud.ts';
import { withExamples } from '../examples.ts';
import { integer, repeated } from '../fields.ts';
import type { GlobalOptions } from '../global-options.ts';
import { instance } from '../nouns/instance.ts';
import { addTableOptions } from '../output/table-options.ts';
import type { Terminal } from '../terminal.ts';
import type { ListOptions } from '../verbs/list.ts';
import { addWaitOptions } from '../wait/options.ts';
import { permissions } from './consent.ts';
import type { ConsoleOptions, LogsOptions } from './console.ts';
import type { InstanceCall } from './found.ts';
import type { HistoryOptions } from '../verbs/history.ts';
import { yesOption } from '../yes-option.ts';
import { milestones } from './milestones.ts';
import type { PlanOptions } from './plan.ts';
import type { PowerOptions } from './power.ts';
import type { SnapshotOptions } from './snapshot.ts';
import type { SshOptions } from './ssh.ts';
import type { SshKeyOptions } from './ssh-key.ts';
import type { InstanceUpdateOptions } from './update.ts';
import type { WatchOptions } from './watch.ts';

/** The commands of instances: those of every noun (update asks before data is lost), and the verbs of a machine. */
export function registerInstance(program: Command, terminal: Terminal): void {
  const command = registerNoun(program, terminal, instance, {
    without: ['list', 'update', 'watch'],
  });
  for (const register of [
    registerList,
    registerUpdate,
    registerResize,
    registerPlan,
    registerHistory,
    registerWatch,
    registerPower,
    registerSnapshot,
    registerConsole,
    registerLogs,
    registerSsh,
    registerSshKey,
  ])
    register(command, terminal);
}

const oneInstance = ['<name or id>', 'which instance'] as const;

function callOf<Options extends GlobalOptions>(verb: Command, terminal: Terminal): InstanceCall<Options> {
  return {
    terminal,
    noun: instance,
    options: verb.optsWithGlobals<Options>(),
    ...diagnosisFor(instance),
  };
}

function registerList(command: Command, terminal: Terminal): void {
  const verb = command.command('list').alias('ls').description('list instances');
  addFilterOptions(verb, instance);
  verb.option('--deleted', 'list deleted instances whose history is still kept');
  addTableOptions(verb);
  withExamples(
    verb,
    'unikorn instance list',
    'unikorn instance list --region north -o wide',
    'unikorn instance list --columns name,ip,age --sort=-age --no-headers',
    'unikorn instance list --deleted',
  );
  verb.action(async () => {
    const { listVerb } = await import('../verbs/list.ts');
    const call = callOf<ListOptions & { readonly deleted?: boolean }>(verb, terminal);
    if (call.options.deleted && call.options.tag) verb.error('error: deleted instances cannot be selected by tag');
    if (!call.options.deleted) return listVerb(call);
    const { deletedInstance } = await import('../nouns/deleted-instance.ts');
    return listVerb({ ...call, noun: deletedInstance });
  });
}

function registerUpdate(command: Command, terminal: Terminal): void {
  const verb = command
    .command('update')
    .argument(...oneInstance)
    .description(
      'change an instance; asks for confirmation before it is restarted or replaced, or before data is lost',
    );
  addChangeOptions(verb, instance);
  addConsentOptions(verb);
  withExamples(
    verb,
    'unikorn instance update web-1 --security-group web --security-group ssh',
    'unikorn instance update web-1 --image debian-13-amd64 --allow rebuild',
  );
  verb.action(async (name: string) => {
    const { updateInstanceVerb } = await import('./update.ts');
    await updateInstanceVerb(callOf<InstanceUpdateOptions>(verb, terminal), name);
  });
}

function addConsentOptions(verb: Command): void {
  addWaitOptions(verb);
  verb
    .option(...yesOption)
    .addOption(
      new Option('--allow <disruption>', 'do not ask for confirmation, and allow at most this disruption').choices(
        permissions,
      ),
    )
    .option('--dry-run', 'only show what would be done');
}

function registerResize(command: Command, terminal: Terminal): void {
  const verb = command
    .command('resize')
    .argument(...oneInstance)
    .argument('<flavor>', 'its new size, by name or id; unikorn flavor list shows the sizes')
    .description('give an instance another flavor; shows what happens, and asks before the machine is disrupted');
  addConsentOptions(verb);
  withExamples(
    verb,
    'unikorn instance resize web-1 sim-standard-8',
    'unikorn instance resize web-1 sim-standard-8 --dry-run',
  );
  verb.action(async (name: string, flavor: string) => {
    const { updateInstanceVerb } = await import('./update.ts');
    const call = callOf<InstanceUpdateOptions>(verb, terminal);
    await updateInstanceVerb({ ...call, options: { ...call.options, flavor } }, name);
  });
}

function registerPlan(command: Command, terminal: Terminal): void {
  const verb = command
    .command('plan')
    .argument('[name or id]', 'instance to plan for; with -f, the instances in the files')
    .description('show what an update would do: changes, data loss, quota, and problems that prevent it');
  addChangeOptions(verb, instance);
  verb.option('-f, --filename <path>', 'file with instances, instead of a name and flags; may be repeated', repeated);
  withExamples(
    verb,
    'unikorn instance plan web-1 --image ubuntu-24.04-amd64',
    'unikorn instance plan web-1 --no-public-ip -o json',
    'unikorn instance plan -f web.yaml',
  );
  verb.action(async (name: string | undefined) => {
    const call = callOf<PlanOptions & { readonly filename?: readonly string[] }>(verb, terminal);
    const { filename } = call.options;
    if ((name === undefined) === (filename === undefined)) verb.error('error: give an instance, or files with -f');
    if (filename) await (await import('./plan-files.ts')).planFilesVerb(call, { filename });
    if (name !== undefined) await (await import('./plan.ts')).planVerb(call, name);
  });
}

function registerHistory(command: Command, terminal: Terminal): void {
  const verb = command
    .command('history')
    .argument('<name or id>', 'instance, which may be deleted')
    .description('show what happened to an instance, who requested it, and the result');
  verb.option('--limit <number>', 'at most this many of the latest entries', integer);
  verb.option('--follow', 'print each new entry as it is written, until Ctrl-C');
  withExamples(
    verb,
    'unikorn instance history web-1',
    'unikorn instance history web-1 --limit 10 -o json',
    'unikorn instance history web-1 --follow',
  );
  verb.action(async (name: string) => {
    const { historyVerb } = await import('./history.ts');
    await historyVerb(callOf<HistoryOptions>(verb, terminal), name);
  });
}

function registerWatch(command: Command, terminal: Terminal): void {
  const verb = command
    .command('watch')
    .argument('[name or id]', 'instance to follow; all by default')
    .description('follow instances as they change, until Ctrl-C');
  verb.addOption(new Option('--until <state>', 'end when the instance has reached this state').choices(milestones));
  withExamples(verb, 'unikorn instance watch', 'unikorn instance watch web-1 --until provisioned');
  verb.action(async (name: string | undefined) => {
    const { watchInstanceVerb } = await import('./watch.ts');
    await watchInstanceVerb(callOf<WatchOptions>(verb, terminal), name);
  });
}

function registerPower(command: Command, terminal: Terminal): void {
  const verbs = {
    start: 'start instances',
    stop: 'stop instances; they keep their disks and addresses',
    reboot: 'restart instances',
  } as const;
  for (const word of ['start', 'stop', 'reboot'] as const) {
    const verb = command.command(word).argument('<name or id...>', 'which instances').description(verbs[word]);
    if (word === 'reboot') verb.option('--hard', 'switch the power off and on instead of asking the guest system');
    addWaitOptions(verb);
    withExamples(verb, `unikorn instance ${word} web-1 web-2`);
    verb.action(async (names: readonly string[]) => {
      const { powerVerb } = await import('./power.ts');
      await powerVerb(callOf<PowerOptions>(verb, terminal), word, names);
    });
  }
}

function registerSnapshot(command: Command, terminal: Terminal): void {
  const verb = command
    .command('snapshot')
    .argument(...oneInstance)
    .description('create an image from the disk of an instance, and print its id');
  verb
    .requiredOption('--image-name <text>', 'name of the image')
    .option('--description <text>', 'description of the image')
    .option('--tag <name=value>', 'tag of the image; may be repeated', repeated);
  addWaitOptions(verb);
  withExamples(verb, 'unikorn instance snapshot web-1 --image-name web-before-upgrade');
  verb.action(async (name: string) => {
    const { snapshotVerb } = await import('./snapshot.ts');
    await snapshotVerb(callOf<SnapshotOptions>(verb, terminal), name);
  });
}

function registerConsole(command: Command, terminal: Terminal): void {
  const verb = command
    .command('console')
    .argument(...oneInstance)
    .description('print the address of the console of an instance; everyone who has it can use it until it expires');
  verb
    .option('--open', 'also open it in the browser')
    .option('--attach', 'use the serial console in this terminal; leave with ~. at the start of a line, or Ctrl-]');
  withExamples(verb, 'unikorn instance console web-1 --open', 'unikorn instance console web-1 --attach');
  verb.action(async (name: string) => {
    if (verb.opts<ConsoleOptions>().attach) {
      const { attachVerb } = await import('./attach.ts');
      await attachVerb(callOf<ConsoleOptions>(verb, terminal), name);
      return;
    }
    const { consoleVerb } = await import('./console.ts');
    await consoleVerb(callOf<ConsoleOptions>(verb, terminal), name);
  });
}

function registerLogs(command: Command, terminal: Terminal): void {
  const verb = command
    .command('logs')
    .argument(...oneInstance)
    .description('print what an instance wrote to its console');
  verb
    .option('--lines <number>', 'only this number of last lines', integer)
    .option('-f, --follow', 'follow the output until Ctrl-C');
  withExamples(verb, 'unikorn instance logs web-1 --lines 50', 'unikorn instance logs web-1 -f');
  verb.action(async (name: string) => {
    const { logsVerb } = await import('./console.ts');
    await logsVerb(callOf<LogsOptions>(verb, terminal), name);
  });
}

function registerSsh(command: Command, terminal: Terminal): void {
  const verb = command
    .command('ssh')
    .argument(...oneInstance)
    .argument('[arguments...]', 'options and a command for ssh, after --')
    .description(
      'log in to an instance with the ssh of this machine, and the key of the instance; with an SSH authority, ssh uses your own certificate',
    );
  verb
    .option('--user <name>', 'user to log in as; the one of the image by default')
    .option('--identity <file>', 'use this private key, or key with a certificate, instead of the key of the instance');
  withExamples(
    verb,
    'unikorn instance ssh web-1',
    'unikorn instance ssh web-1 -- uptime',
    'unikorn instance ssh web-1 --user admin -- -L 8080:localhost:80',
  );
  verb.action(async (name: string, more: readonly string[]) => {
    const { sshVerb } = await import('./ssh.ts');
    await sshVerb(callOf<SshOptions>(verb, terminal), name, more);
  });
}

function registerSshKey(command: Command, terminal: Terminal): void {
  const verb = command
    .command('ssh-key')
    .argument(...oneInstance)
    .description('print the private SSH key of an instance');
  verb.option('-f, --file <path>', 'write it to a file that only you can read');
  withExamples(verb, 'unikorn instance ssh-key web-1 -f web-1.key');
  verb.action(async (name: string) => {
    const { sshKeyVerb } = await import('./ssh-key.ts');
    await sshKeyVerb(callOf<SshKeyOptions>(verb, terminal), name);
  });
}
