import { Option, type Command } from 'commander';

import { withExamples } from '../examples.ts';
import { repeated } from '../fields.ts';
import { permissions } from '../instance/consent.ts';
import type { Terminal } from '../terminal.ts';
import { addWaitOptions } from '../wait/options.ts';
import { yesOption } from '../yes-option.ts';
import type { ApplyOptions } from './carry-out.ts';
import type { DeleteFilesOptions } from './delete.ts';
import type { DiffOptions } from './diff.ts';

/** The commands that work from files of resources. */
export function registerFiles(program: Command, terminal: Terminal): void {
  registerApply(program, terminal);
  registerDiff(program, terminal);
  registerDelete(program, terminal);
}

function addFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-f, --filename <path>', 'file, folder, or - for standard input; may be repeated')
        .argParser(repeated)
        .makeOptionMandatory(),
    )
    .option('-R, --recursive', 'also read the subfolders of a folder');
}

function registerApply(program: Command, terminal: Terminal): void {
  const verb = addFileOptions(
    program.command('apply').description('create or change resources so that they match files'),
  );
  addWaitOptions(verb);
  verb
    .option(
      '--yes',
      'do not ask for confirmation before an instance is disrupted, a resource is deleted, or access is taken away',
    )
    .addOption(
      new Option(
        '--allow <disruption>',
        'do not ask for confirmation, and allow at most this disruption of instances',
      ).choices(permissions),
    )
    .option(
      '--prune <set>',
      'mark the resources with the name of a set, and delete those that were applied with this set and are no longer in the files',
    )
    .option('--dry-run', 'only show what would be done');
  withExamples(
    verb,
    'unikorn apply -f examples/stack',
    'unikorn apply -f examples/stack --prune shop',
    'unikorn apply -f stack.yaml --dry-run',
    'unikorn apply -f - < stack.yaml',
  );
  verb.action(async () => {
    const { applyVerb } = await import('./apply.ts');
    await applyVerb({ terminal, options: verb.optsWithGlobals<ApplyOptions>() });
  });
}

function registerDiff(program: Command, terminal: Terminal): void {
  const verb = addFileOptions(
    program
      .command('diff')
      .summary('show the differences between resources and files')
      .description(
        'show the differences between resources and files; the exit code is 0 if there are none, 1 if there are some, and greater than 1 after an error',
      ),
  );
  withExamples(verb, 'unikorn diff -f examples/stack', 'unikorn diff -f stack.yaml && echo "as it should be"');
  verb.action(async () => {
    const { diffVerb } = await import('./diff.ts');
    await diffVerb({ terminal, options: verb.optsWithGlobals<DiffOptions>() });
  });
}

function registerDelete(program: Command, terminal: Terminal): void {
  const verb = addFileOptions(
    program.command('delete').description('delete the resources in files, each after the resources that use it'),
  );
  addWaitOptions(verb);
  verb.option(...yesOption).option('--dry-run', 'only show what would be deleted');
  withExamples(
    verb,
    'unikorn delete -f examples/stack',
    'unikorn delete -f examples/stack --dry-run',
    'unikorn delete -f stack.yaml --yes',
  );
  verb.action(async () => {
    const { deleteFilesVerb } = await import('./delete.ts');
    await deleteFilesVerb({ terminal, options: verb.optsWithGlobals<DeleteFilesOptions>() });
  });
}
