import { expect, it } from 'vitest';

import { ProviderFailure } from '../../provider/index.ts';
import { Checkup, Lack } from './checkup.ts';

const refused = new ProviderFailure('permission', 'not allowed');

it('notes every trial, and a failed one does not end the others', async () => {
  const checkup = new Checkup();
  const tried = (name: string, attempt: () => Promise<number>, only?: string) =>
    checkup.try({ name, remedy: 'grant it', attempt, ...(only === undefined ? {} : { only }) });
  expect(await tried('works', () => Promise.resolve(7))).toBe(7);
  expect(await tried('is refused', () => Promise.reject(refused))).toBeUndefined();
  await tried('is not there', () => Promise.reject(new Lack('no such role')));
  await tried('is refused, and not important', () => Promise.reject(refused), 'there are no images');
  await tried('has no answer', () => Promise.reject(new ProviderFailure('unavailable', 'no answer')));
  checkup.skip('depends on others', 'a login');
  expect(checkup.results).toEqual([
    { name: 'works', state: 'ok' },
    { name: 'is refused', state: 'missing', message: 'not allowed', remedy: 'grant it' },
    { name: 'is not there', state: 'missing', message: 'no such role', remedy: 'grant it' },
    {
      name: 'is refused, and not important',
      state: 'optional',
      message: 'not allowed; without it: there are no images',
      remedy: 'grant it',
    },
    { name: 'has no answer', state: 'unknown', message: 'no answer' },
    { name: 'depends on others', state: 'unknown', message: 'not tried, because this is missing: a login' },
  ]);
});
