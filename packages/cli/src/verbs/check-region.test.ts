import picocolors from 'picocolors';
import { expect, it } from 'vitest';

import { renderCheck } from './check-region.ts';

it('a check is one plain line, and the remedy a second one', () => {
  const colours = picocolors.createColors(false);
  expect(renderCheck({ name: 'create projects', state: 'ok' }, colours)).toBe('ok       create projects\n');
  expect(renderCheck({ name: 'create projects', state: 'missing', message: 'no', remedy: 'grant it' }, colours)).toBe(
    'missing  create projects: no\n         to grant it: grant it\n',
  );
});
