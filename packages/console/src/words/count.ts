import { preferences } from '../session/preferences.ts';
import { languages } from './language.ts';

const locale = languages[preferences().language].numbers;
const numbers = new Intl.NumberFormat(locale);
const plurals = new Intl.PluralRules(locale);

export function number(value: number): string {
  return numbers.format(value);
}

/** @example count(3, 'instance', 'instances') // 3 instances */
export function count(value: number, one: string, other: string): string {
  return `${number(value)} ${plurals.select(value) === 'one' ? one : other}`;
}
