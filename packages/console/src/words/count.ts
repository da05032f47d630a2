const numbers = new Intl.NumberFormat('en');
const plurals = new Intl.PluralRules('en');

export function number(value: number): string {
  return numbers.format(value);
}

/** @example count(3, 'instance', 'instances') // 3 instances */
export function count(value: number, one: string, other: string): string {
  return `${number(value)} ${plurals.select(value) === 'one' ? one : other}`;
}
