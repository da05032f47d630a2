import { executableOf } from './executable.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Terminal } from './terminal.ts';

/** The flags that say where a command works. Who typed one needs it for the next command too. */
const placing = ['context', 'url', 'organization', 'project', 'region'] as const;

/** Commands that choose their place in another way, or need none. */
const placeless = /^(?:login|logout|context|completion|doctor|serve|password|diff|apply|delete|status)\b/;

/**
 * A hint with commands that the user can type: with the executable that is installed, and in the same place. A command
 * that ends the line, as in `check it: unikorn instance watch web`, gets the flags that the user typed.
 */
export function typeable(hint: string, env: Terminal['env'], options: GlobalOptions = {}): string {
  const [, before = '', command] = /^(.*: )unikorn ([a-z].*)$/s.exec(hint) ?? [];
  const complete =
    command === undefined || placeless.test(command)
      ? hint
      : `${before}unikorn ${[command, ...flagsFor(command, options)].join(' ')}`;
  return complete.replaceAll(/(?<![\w/.-])(?:npx )?unikorn (?=[a-z-])/g, `${executableOf(env)} `);
}

function flagsFor(command: string, options: GlobalOptions): readonly string[] {
  return placing.flatMap((flag) => {
    const text = options[flag];
    // The list of projects is the same in every project, also in one that does not exist.
    const isAbout = command.startsWith(`${flag} `);
    return text === undefined || isAbout || command.includes(`--${flag} `) ? [] : [`--${flag} ${quoted(text)}`];
  });
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
