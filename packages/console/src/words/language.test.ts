import { expect, it } from 'vitest';

import { languageOf, type Translated } from './language.ts';

const english = { title: 'Tags', of: (name: string) => `Tags of ${name}`, keys: [['/', 'filter']] } as const;

it('English is a translation of itself', () => {
  const same: Translated<typeof english> = english;
  expect(same.of('web-1')).toBe('Tags of web-1');
});

it('another language has the same texts with the same arguments', () => {
  const other: Translated<typeof english> = { title: 'Marken', of: (name) => `Marken von ${name}`, keys: [['/', 'x']] };
  expect(other.of('web-1')).toBe('Marken von web-1');
  // @ts-expect-error a text is missing
  const incomplete: Translated<typeof english> = { title: 'Marken', keys: [['/', 'x']] };
  expect(Object.keys(incomplete)).not.toContain('of');
});

it('a language that the pages do not have is English', () => {
  expect([languageOf('en'), languageOf('tlh'), languageOf('')]).toEqual(['en', 'en', 'en']);
});
