import type { Saga } from '@unikorn/sdk';

/** The service of a saga: the first word of its name. */
export function serviceOf({ name }: Pick<Saga, 'name'>): string {
  return name.replace(/\..*/, '');
}
