import { describe, expect, it } from 'vitest';

import { renameContext, useContext, withDefaults, withoutContext } from './changes.ts';
import { addressOf, issuerOf, type Contexts } from './contexts.ts';
import { contextViews } from './view.ts';
import { formatContexts, parseContexts } from './written.ts';

const contexts: Contexts = {
  current: '127.0.0.1:8080',
  contexts: {
    '127.0.0.1:8080': {
      endpoints: 'http://127.0.0.1:8080',
      auth: { token: 'uksa_secret' },
      organization: { id: 'o1', name: 'demo' },
      project: { id: 'p1', name: 'web' },
      region: { id: 'r1', name: 'east' },
    },
    split: {
      endpoints: {
        identity: 'https://id.example.com',
        region: 'https://region.example.com',
        compute: 'https://compute.example.com',
      },
      auth: { accessToken: 'access', refreshToken: 'refresh', expiresAt: '2026-01-01T00:00:00.000Z' },
    },
  },
};

describe('the file of contexts', () => {
  it('is read as it was written', () => {
    expect(parseContexts(formatContexts(contexts), 'config.yaml')).toEqual(contexts);
  });

  it('may be empty', () => {
    expect(parseContexts('', 'config.yaml')).toEqual({ contexts: {} });
  });

  it.each([
    [
      'contexts: {a: {endpoints: nowhere, auth: {token: t}}}',
      'config.yaml cannot be used: the context a has no valid endpoints or no valid auth',
    ],
    [
      'contexts: {a: {endpoints: "https://a.example"}}',
      'config.yaml cannot be used: the context a has no valid endpoints or no valid auth',
    ],
    ['contexts: [1]', 'config.yaml cannot be used: contexts are missing'],
    ['current: 5', 'config.yaml cannot be used: current is not the name of a context'],
    ['{', 'config.yaml is not YAML'],
  ])('is refused with the mistake: %s', (text, message) => {
    expect(() => parseContexts(text, 'config.yaml')).toThrow(message);
  });
});

describe('a context', () => {
  it('that is renamed stays the current one, and a deleted one does not', () => {
    expect(renameContext(contexts, '127.0.0.1:8080', 'mine')).toMatchObject({
      current: 'mine',
      contexts: { mine: { endpoints: 'http://127.0.0.1:8080' } },
    });
    expect(withoutContext(contexts, '127.0.0.1:8080')).toEqual({ contexts: { split: contexts.contexts['split'] } });
    expect(withoutContext(contexts, 'split').current).toBe('127.0.0.1:8080');
    expect(useContext(contexts, 'split').current).toBe('split');
  });

  it('is not renamed to an existing name, and an unknown one cannot be used', () => {
    expect(() => renameContext(contexts, 'split', '127.0.0.1:8080')).toThrow('context 127.0.0.1:8080 already exists');
    expect(() => useContext(contexts, 'none')).toThrow('context none does not exist');
  });

  it('loses its project with its organization, and keeps its region', () => {
    const { contexts: after } = withDefaults(contexts, '127.0.0.1:8080', { organization: { id: 'o2', name: 'other' } });
    expect(after['127.0.0.1:8080']).toEqual({
      endpoints: 'http://127.0.0.1:8080',
      auth: { token: 'uksa_secret' },
      organization: { id: 'o2', name: 'other' },
      region: { id: 'r1', name: 'east' },
    });
    expect(
      withDefaults(contexts, '127.0.0.1:8080', { region: undefined }).contexts['127.0.0.1:8080'],
    ).not.toHaveProperty('region');
  });

  it('is shown without its tokens', () => {
    expect(JSON.stringify(contextViews(contexts))).not.toMatch(/secret|access|refresh/);
    expect(contextViews(contexts).map(({ name, current, auth }) => ({ name, current, auth }))).toEqual([
      { name: '127.0.0.1:8080', current: true, auth: 'token' },
      { name: 'split', current: false, auth: 'login' },
    ]);
  });
});

it('users log in at the identity service, whatever its address is', () => {
  expect(issuerOf('https://cloud.example.com/')).toBe('https://cloud.example.com/identity');
  expect(issuerOf({ identity: 'https://id.example.com', region: '', compute: '' })).toBe('https://id.example.com');
  expect(addressOf({ identity: 'https://cloud.example.com/identity', region: '', compute: '' })).toBe(
    'https://cloud.example.com',
  );
});
