import { expect, it } from 'vitest';

import { encodedLength, flawsIn, mostCharacters } from './user-data.ts';

const shown = (text: string) => flawsIn(text).map(({ from, to, severity }) => `${severity} ${text.slice(from, to)}`);

it('a script and a correct configuration have no flaws', () => {
  expect(flawsIn('')).toEqual([]);
  expect(flawsIn('#!/bin/sh\nthis: [is no yaml')).toEqual([]);
  expect(flawsIn('#cloud-config\npackages:\n  - nginx\nruncmd: []\n')).toEqual([]);
});

it('a first line that cloud-init does not know is a warning', () => {
  expect(shown('packages: [nginx]\n')).toEqual(['warning packages: [nginx]']);
});

it('mistakes of YAML are errors, and unknown keys are warnings at their place', () => {
  expect(flawsIn('#cloud-config\npackages: [nginx\n').map(({ severity }) => severity)).toContain('error');
  expect(shown('#cloud-config\npackges: [nginx]\n')).toEqual(['warning packges']);
  expect(flawsIn('#cloud-config\n- nginx\n').map(({ severity }) => severity)).toEqual(['error']);
});

it('a text that the service would refuse for its size is an error', () => {
  const text = `#!/bin/sh\n${'x'.repeat(mostCharacters)}`;
  expect(encodedLength('abcd')).toBe(8);
  expect(flawsIn(text).map(({ severity }) => severity)).toEqual(['error']);
});
