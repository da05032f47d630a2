import { InvalidArgumentError, Option, type Command } from 'commander';

import { Failure } from './failure.ts';
import type { Field, Noun } from './nouns/noun.ts';

export type Writing = 'create' | 'update';

/** The fields of a noun for create or update. */
export function fieldsFor(noun: Noun, writing: Writing): readonly Field[] {
  return noun.fields.filter(({ on }) => on === undefined || on === writing);
}

/** Whether services keep the value at this path to themselves. */
export function isSecret(noun: Noun, path: string): boolean {
  return noun.fields.some((field) => field.type === 'secret' && field.path === path);
}

/** The lists of an identity resource that give access: who is not in them any more loses it. */
export function accessFields(noun: Noun): readonly Field[] {
  if (noun.service !== 'identity') return [];
  return fieldsFor(noun, 'update').filter((field) => field.type === 'list' && field.noun !== undefined);
}

export function addFieldOptions(command: Command, noun: Noun, writing: Writing): void {
  for (const field of fieldsFor(noun, writing))
    for (const option of optionsOf(field, writing)) command.addOption(option);
}

function optionsOf(field: Field, writing: Writing): readonly Option[] {
  const { flag, type, description } = field;
  if (type === 'switch')
    return [new Option(`--${flag}`, description), new Option(`--no-${flag}`, `do not ${description}`)];
  const mandatory = field.required === true && writing === 'create';
  const option = new Option(
    `--${flag} <${placeholderOf(field)}>`,
    `${description}${type === 'list' ? '; may be repeated' : ''}${mandatory ? ' (required)' : ''}`,
  );
  if (field.choices) option.choices(field.choices);
  if (type === 'list') option.argParser(repeated);
  if (type === 'integer') option.argParser(integer);
  if (type === 'gibibytes') option.argParser(gibibytes);
  // Missing options are reported by `demandRequired`, all of them at once.
  return [option];
}

function placeholderOf({ type, noun }: Field): string {
  if (noun !== undefined) return 'name or id';
  switch (type) {
    case 'integer':
      return 'number';
    case 'gibibytes':
      return 'size';
    case 'json':
      return 'json';
    case 'file':
    case 'base64':
    case 'secret':
      return 'file';
    case 'text':
    case 'list':
    case 'switch':
      return 'text';
  }
}

/** Collects the values of a flag that may be repeated. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function integer(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || text.trim() === '') throw new InvalidArgumentError('it must be a whole number.');
  return number;
}

/** A whole number of GiB, from a text such as 100, 100GiB or 2TiB. */
export function gibibytes(text: string): number {
  const { count, unit = 'GiB' } = /^(?<count>\d+) ?(?<unit>[KMGTP]iB)?$/i.exec(text)?.groups ?? {};
  const power = ['kib', 'mib', 'gib', 'tib', 'pib'].indexOf(unit.toLowerCase()) - 2;
  const size = Number(count) * 1024 ** power;
  if (!Number.isSafeInteger(size))
    throw new InvalidArgumentError('write a whole number of GiB, such as 100GiB or 2TiB.');
  return size;
}

/** Refuses a creation that lacks options, and names all of them. */
export function demandRequired(noun: Noun, options: Readonly<Record<string, unknown>>): void {
  const missing = fieldsFor(noun, 'create').filter(
    ({ required, flag }) => required === true && options[attributeOf(flag)] === undefined,
  );
  if (missing.length === 0) return;
  const flags = missing.map((field) => `--${field.flag} <${placeholderOf(field)}>`);
  throw new Failure(
    'usage',
    `missing ${flags.length === 1 ? 'option' : 'options'}: ${flags.join(', ')}`,
    `see all options: unikorn ${noun.name} create --help`,
  );
}

/** The name under which commander stores the value of a flag. */
export function attributeOf(flag: string): string {
  return new Option(`--${flag}`).attributeName();
}
