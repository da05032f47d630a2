import { Command } from 'commander';
import { expect, it } from 'vitest';

import { operations } from './index.ts';

/** Why these commands do not ask. `password` asks, as unikorn.test.ts proves. */
const harmless: Readonly<Record<string, string>> = {
  serve: 'it refuses to start with a state that has lost changes, unless --accept-loss is given',
  config: 'it reads',
  backup: 'it writes a folder that must not exist',
  restore: 'it refuses to replace a state, unless --replace is given',
  migrate: 'it writes to an empty store',
  rekey: 'the secrets stay the same, and the earlier keys stay in their file',
};

it.each(Object.entries(operations))(
  '%s is registered under its name, and asks if it destroys something',
  async (name, load) => {
    const program = new Command();
    (await load())(program);
    expect(program.commands.map((command) => command.name())).toEqual([name]);
    const asks = program.commands.some(({ options }) => options.some(({ long }) => long === '--yes'));
    expect(asks ? 'asks' : harmless[name]).toBeDefined();
    expect(asks && name in harmless).toBe(false);
  },
);
