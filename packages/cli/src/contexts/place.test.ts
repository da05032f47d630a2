import { describe, expect, it } from 'vitest';

import { Failure } from '../failure.ts';
import type { Contexts } from './contexts.ts';
import { choosePlace, type Choices } from './place.ts';

const contexts: Contexts = {
  current: 'cloud',
  contexts: {
    cloud: {
      endpoints: 'https://cloud.example.com',
      auth: { accessToken: 'a', refreshToken: 'r', expiresAt: '2026-01-01T00:00:00Z' },
      organization: { id: 'o1', name: 'demo' },
      project: { id: 'p1', name: 'web' },
    },
    lab: { endpoints: 'https://lab.example.com/', auth: { token: 'lab-token' } },
  },
};
const local = {
  directory: '/home/me/.unikorn',
  endpoints: {
    identity: 'http://127.0.0.1:8080/identity',
    region: 'http://127.0.0.1:8080/region',
    compute: 'http://127.0.0.1:8080/compute',
  },
  token: 'local-token',
  organizationId: 'o9',
  projectId: 'p9',
};

function choose(choices: Partial<Choices>) {
  return choosePlace({ options: {}, env: {}, contexts, local, ...choices });
}

function refusal(choices: Partial<Choices>): Failure {
  try {
    choose(choices);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error('it was not refused');
}

describe('a token in the environment', () => {
  it('that is not valid is not used, and not shown', () => {
    const { ending, message } = refusal({
      env: { UNIKORN_URL: 'https://other.example.com', UNIKORN_TOKEN: 'uksa_one\nuksa_two' },
    });
    expect({ ending, message }).toEqual({
      ending: 'usage',
      message: 'UNIKORN_TOKEN is not a token: it contains spaces or line breaks',
    });
  });
});

describe('the control plane of a command', () => {
  it('is reported if the state in the environment has no server', () => {
    expect(refusal({ contexts: { contexts: {} }, local: undefined, env: { UNIKORN_STATE: '/nowhere' } }).message).toBe(
      'there are no credentials of a server in /nowhere, the directory in UNIKORN_STATE',
    );
    expect(refusal({ local: undefined, env: { UNIKORN_STATE: '/nowhere' } }).ending).toBe('forbidden');
  });

  it('is the context of the flag, then of the environment, then the current one', () => {
    const env = { UNIKORN_CONTEXT: 'lab' };
    expect(choose({ options: { context: 'cloud' }, env }).source).toEqual({ kind: 'context', name: 'cloud' });
    expect(choose({ env }).source).toEqual({ kind: 'context', name: 'lab' });
    expect(choose({}).source).toEqual({ kind: 'context', name: 'cloud' });
  });

  it('is the server of the state in the environment, before the current context', () => {
    const env = { UNIKORN_STATE: '/home/me/.unikorn' };
    expect(choose({ env }).source).toEqual({ kind: 'local', directory: '/home/me/.unikorn' });
    expect(choose({ env: { ...env, UNIKORN_CONTEXT: 'lab' } }).source).toEqual({ kind: 'context', name: 'lab' });
    expect(choose({ env, options: { context: 'cloud' } }).source).toEqual({ kind: 'context', name: 'cloud' });
  });

  it('is a server on this machine only without a current context', () => {
    const place = choose({ contexts: { contexts: contexts.contexts } });
    expect(place).toMatchObject({
      source: { kind: 'local', directory: '/home/me/.unikorn' },
      auth: { kind: 'token', token: 'local-token' },
      about: { project: { kind: 'kept', id: 'p9' } },
    });
    expect(place.about).not.toHaveProperty('region');
  });

  it('is missing without any of them, and the error shows how to begin', () => {
    const { ending, hints } = refusal({ contexts: { contexts: {} }, local: undefined });
    expect(ending).toBe('forbidden');
    expect(hints.join('\n')).toMatch(/unikorn login .*\n.*npm start/);
  });

  it('is refused for an unknown context, with the existing ones', () => {
    expect(refusal({ options: { context: 'nowhere' } })).toMatchObject({
      ending: 'notFound',
      hints: ['there are: cloud, lab'],
    });
  });

  it('is the address in the environment, unless a flag selects a context', () => {
    const env = { UNIKORN_URL: 'https://else.example.com', UNIKORN_TOKEN: 'else-token' };
    expect(choose({ env })).toMatchObject({ endpoints: 'https://else.example.com', auth: { token: 'else-token' } });
    expect(choose({ env, options: { context: 'lab' } })).toMatchObject({
      endpoints: 'https://lab.example.com/',
      auth: { token: 'lab-token' },
    });
  });
});

describe('a token', () => {
  it('of one address is never sent to another', () => {
    expect(refusal({ options: { url: 'https://evil.example.com' } })).toMatchObject({
      ending: 'forbidden',
      message: 'you are not logged in to https://evil.example.com',
    });
  });

  it('is found for the address of a context, and of the server on this machine', () => {
    expect(choose({ options: { url: 'https://lab.example.com' } })).toMatchObject({
      source: { kind: 'context', name: 'lab' },
      auth: { token: 'lab-token' },
    });
    expect(choose({ options: { url: 'http://127.0.0.1:8080/' } })).toMatchObject({
      source: { kind: 'local' },
      auth: { token: 'local-token' },
    });
  });

  it('of the environment overrides that of the current context', () => {
    expect(choose({ env: { UNIKORN_TOKEN: 'robot' } })).toMatchObject({
      endpoints: 'https://cloud.example.com',
      auth: { kind: 'token', token: 'robot' },
    });
  });
});

describe('the scope of a command', () => {
  it('comes from flags, then the environment, then the context', () => {
    const env = { UNIKORN_PROJECT: 'from-env', UNIKORN_REGION: 'east' };
    expect(choose({ options: { project: 'from-flag' }, env }).about).toEqual({
      organization: { kind: 'kept', id: 'o1', name: 'demo' },
      project: { kind: 'written', text: 'from-flag' },
      region: { kind: 'written', text: 'east' },
    });
    expect(choose({}).about.project).toEqual({ kind: 'kept', id: 'p1', name: 'web' });
  });

  it('does not use the project of the context in another organization', () => {
    expect(choose({ options: { organization: 'other' } }).about).toEqual({
      organization: { kind: 'written', text: 'other' },
    });
    expect(choose({ options: { organization: 'demo' } }).about.project).toEqual({
      kind: 'kept',
      id: 'p1',
      name: 'web',
    });
  });
});

it('an invalid address is reported', () => {
  expect(refusal({ options: { url: 'cloud.example.com' } })).toMatchObject({
    ending: 'usage',
    message: 'cloud.example.com is not an address; write it like https://cloud.example.com',
  });
});
