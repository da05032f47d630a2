import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { examplesOf } from './examples.ts';
import { programOf } from './index.ts';
import { nouns } from './nouns/index.ts';
import { cliReference } from './reference.ts';
import { fakeTerminal } from './testing/product.ts';

const program = await programOf(fakeTerminal());

function leaves(command: Command): readonly Command[] {
  const shown = command
    .createHelp()
    .visibleCommands(command)
    .filter((other) => other.name() !== 'help');
  return shown.length === 0 ? [command] : shown.flatMap(leaves);
}

const paths = leaves(program).map((command) => ({
  command,
  path: command.parent === program ? command.name() : `${command.parent?.name() ?? ''} ${command.name()}`,
}));

describe('every command', () => {
  it.each(paths)('$path has a description and an example', ({ command, path }) => {
    expect(command.description()).not.toBe('');
    expect(examplesOf(command)).not.toEqual([]);
    for (const example of examplesOf(command)) expect(example).toContain(`unikorn ${path}`);
    for (const option of command.options) expect(option.description).not.toBe('');
  });

  it('is in the reference, with its options, the environment and the exit codes', () => {
    const page = cliReference(program, 'generated');
    for (const { path } of paths) expect(page).toContain(`unikorn ${path}`);
    for (const { fields } of nouns) for (const { flag } of fields) expect(page).toContain(`--${flag}`);
    for (const text of ['`UNIKORN_PROJECT`', '| 7 | the operation took longer than --timeout', '| `--all-projects` |'])
      expect(page).toContain(text);
  });

  it('has no flag that is also a global flag', () => {
    const everywhere = new Set(program.options.map(({ long }) => long));
    const clashes = paths.flatMap(({ command, path }) =>
      command.options.filter(({ long }) => everywhere.has(long)).map(({ long }) => `${path} ${long ?? ''}`),
    );
    expect(clashes).toEqual([]);
  });
});
