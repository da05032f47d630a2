import { Option, type Command } from 'commander';

import { withExamples } from '../examples.ts';
import { repeated } from '../fields.ts';
import { permissions } from '../instance/consent.ts';
import type { Terminal } from '../terminal.ts';
import { addWaitOptions } from '../wait/options.ts';
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
    .option('-R, --recursive', 'look into the folders of a folder, too');
}

function registerApply(program: Command, terminal: Terminal): void {
  const verb = addFileOptions(
    program
      .command('apply')
      .description('make everything as files say: create what is not there, change what is different'),
  );
  addWaitOptions(verb);
  verb
    .option('--yes', 'do not ask before an instance is disturbed')
    .addOption(
      new Option('--allow <disruption>', 'do not ask, and disturb instances as much as this at most').choices(
        permissions,
      ),
    )
    .option('--dry-run', 'only show what it would do');
  withExamples(
    verb,
    'unikorn apply -f examples/stack',
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
      .summary('show how what is there is different from what files say')
      .description(
        'show how what is there is different from what files say; ends with 0 when it is not, with 1 when it is, and with more when that cannot be found out',
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
    program.command('delete').description('delete what files describe, and nothing before what stands on it is gone'),
  );
  addWaitOptions(verb);
  verb.option('--yes', 'do not ask');
  withExamples(verb, 'unikorn delete -f examples/stack', 'unikorn delete -f stack.yaml --yes');
  verb.action(async () => {
    const { deleteFilesVerb } = await import('./delete.ts');
    await deleteFilesVerb({ terminal, options: verb.optsWithGlobals<DeleteFilesOptions>() });
  });
}
