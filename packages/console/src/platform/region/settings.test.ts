import { expect, it } from 'vitest';

import { listAt, mergedSettings, textAt, withValue } from './settings.ts';

const settings = {
  endpoint: 'https://a',
  serviceAccountSecret: { namespace: 'regions', name: 'a' },
  extra: { kept: 1 },
};

it('a value is read by its path', () => {
  expect(textAt(settings, 'serviceAccountSecret.name')).toBe('a');
  expect(textAt(settings, 'tls.authority')).toBe('');
  expect(listAt({ flavorIDs: ['x', 1] }, 'flavorIDs')).toEqual(['x']);
});

it('a change keeps what the form does not know, and an empty value removes what is then empty', () => {
  expect(withValue(settings, 'tls.verify', false)).toEqual({ ...settings, tls: { verify: false } });
  expect(withValue({ ...settings, tls: { authority: 'pem' } }, 'tls.authority', '')).toEqual(settings);
  expect(withValue(settings, 'serviceAccountSecret.name', 'b')).toEqual({
    ...settings,
    serviceAccountSecret: { namespace: 'regions', name: 'b' },
  });
});

it('two changes of different settings are put together, and what one removed stays removed', () => {
  const theirs = { ...settings, endpoint: 'https://theirs' };
  const { endpoint, serviceAccountSecret } = settings;
  expect(mergedSettings(settings, theirs, { endpoint, serviceAccountSecret, region: 'one' })).toEqual({
    endpoint: 'https://theirs',
    serviceAccountSecret: settings.serviceAccountSecret,
    region: 'one',
  });
});
