import { readFile } from 'node:fs/promises';

import type { Command } from 'commander';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { visible } from '../../packages/cli/src/command-tree.ts';
import { programOf } from '../../packages/cli/src/index.ts';
import { fakeTerminal } from '../../packages/cli/src/testing/product.ts';
import { entries, ofTheTerminal, type Control } from './command-line.fixture.ts';
import { goInside, shareConsole } from './console.fixture.ts';
import { furnishEverything } from './everything.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let page: Page;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  product = await shareConsole();
  ids = await furnishEverything(product);
  page = await product.open('/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});

afterAll(() => product.stop());

function leaves(command: Command): readonly Command[] {
  const inner = visible(command);
  return inner.length === 0 ? [command] : inner.flatMap(leaves);
}

const program = await programOf(fakeTerminal());
/** Every command for users, with its flags. The commands that run a server are not among them. */
const commands = new Map(
  leaves(program).map((command) => [
    command.parent === program ? command.name() : `${command.parent?.name() ?? ''} ${command.name()}`,
    command.options.flatMap(({ long }) => (typeof long === 'string' ? [long.replace(/^--(no-)?/, '')] : [])),
  ]),
);

it('every command has its place in the console, or a reason why it has none', () => {
  const known = Object.keys(entries);
  expect([...commands.keys()].filter((name) => !known.includes(name))).toEqual([]);
  // A verb that a noun does not have, because its table is made for all nouns.
  const optional = /^(user|serviceaccount|image) watch$/;
  expect(known.filter((name) => !commands.has(name) && !optional.test(name))).toEqual([]);
});

it('every flag that gives a new or changed resource a value has its field in the console', () => {
  const lacking = Object.entries(entries).flatMap(([name, entry]) => {
    const isWrite = /( |^)(create|update|plan|resize|reboot|snapshot|simulation|add|remove)$/.test(name);
    if (!isWrite || !('page' in entry)) return [];
    const flags = [...new Set(commands.get(name))].filter((flag) => !ofTheTerminal.includes(flag));
    return flags.filter((flag) => entry.flags?.[flag] === undefined).map((flag) => `${name} --${flag}`);
  });
  expect(lacking).toEqual([]);
});

it('every place that is named is there', async () => {
  const lacking: string[] = [];
  const places = Object.entries(entries).flatMap(([name, entry]) => ('page' in entry ? [{ name, ...entry }] : []));
  // Each page is opened once.
  const addresses = [...new Set(places.map(({ page: path }) => path))];
  for (const path of addresses) {
    await goInside(page, addressOf(path));
    for (const { name, control, flags = {} } of places.filter((place) => place.page === path)) {
      const own = commands.get(name) ?? [];
      const wanted = Object.entries(flags).filter(([flag]) => own.includes(flag));
      if (!(await isThere(control))) lacking.push(`${name}: ${String(control)} on ${path}`);
      for (const [flag, field] of wanted)
        if ((typeof field === 'string' || 'length' in field) && !(await isThere(field)))
          lacking.push(`${name} --${flag}: ${String(field)} on ${path}`);
    }
  }
  expect(lacking).toEqual([]);
}, 600_000);

it('the journeys that are named use the controls', async () => {
  for (const entry of Object.values(entries))
    if ('journey' in entry)
      expect(await readFile(new URL(entry.journey, import.meta.url), 'utf8')).toContain(entry.uses);
});

/** Also in a part of the page that is folded. */
async function isThere(control: Control): Promise<boolean> {
  const found =
    typeof control === 'string'
      ? page.getByLabel(control).or(page.getByRole('group', { name: control, includeHidden: true }))
      : page.getByRole(control[0], { name: control[1], includeHidden: true });
  return found
    .first()
    .waitFor({ state: 'attached', timeout: 10_000 })
    .then(
      () => true,
      () => false,
    );
}

function addressOf(path: string): string {
  return path
    .replace('$org', product.organizationId)
    .replace('$project', product.projectId)
    .replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name);
}
