import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { readCloudsYaml, type ReadOptions } from './index.ts';

const password = {
  auth_url: 'https://cloud.example.com:5000/v3',
  username: 'unikorn',
  user_domain_name: 'unikorn',
  password: 'hidden',
  project_name: 'unikorn-provider',
  project_domain_name: 'unikorn',
};

function yamlOf(auth: object, more: object = {}): string {
  return stringify({ clouds: { production: { auth, ...more } } });
}

it('a password with names, as `openstack` itself writes it', async () => {
  expect(
    await readCloudsYaml(yamlOf(password, { region_name: 'RegionOne', interface: 'internal', verify: false })),
  ).toEqual({
    access: {
      authUrl: 'https://cloud.example.com:5000/v3',
      regionName: 'RegionOne',
      interface: 'internal',
      tls: { verify: false },
    },
    credential: { method: 'password', user: { name: 'unikorn', domain: { name: 'unikorn' } }, password: 'hidden' },
    scope: { project: { name: 'unikorn-provider', domain: { name: 'unikorn' } } },
  });
});

it('ids are used before names, and a domain is a scope', async () => {
  const auth = { auth_url: 'http://a', user_id: 'u', username: 'x', password: 'p', domain_id: 'd' };
  expect(await readCloudsYaml(yamlOf(auth, { endpoint_type: 'publicURL' }))).toMatchObject({
    access: { interface: 'public', tls: { verify: true } },
    credential: { user: { id: 'u' } },
    scope: { domain: { id: 'd' } },
  });
});

it('an application credential has a scope of its own', async () => {
  const auth = {
    auth_url: 'https://a',
    application_credential_id: 'id',
    application_credential_secret: 'hidden',
  };
  for (const more of [{}, { auth_type: 'v3applicationcredential' }])
    expect(await readCloudsYaml(yamlOf(auth, more))).toMatchObject({
      credential: { method: 'application_credential', id: 'id', secret: 'hidden' },
      scope: 'own',
    });
});

it('one of several clouds is chosen by its name', async () => {
  const text = stringify({ clouds: { a: { auth: { ...password, auth_url: 'https://a' } }, b: { auth: password } } });
  expect((await readCloudsYaml(text, { cloud: 'a' })).access.authUrl).toBe('https://a');
  await expect(readCloudsYaml(text)).rejects.toThrow('it has several clouds (a, b): name the one to use');
  await expect(readCloudsYaml(text, { cloud: 'c' })).rejects.toThrow('it has no cloud c, but a, b');
});

describe('what cannot be used is refused, and the sentence says what to change', () => {
  it.each<[string, string, ReadOptions?]>([
    ['{', 'it must be YAML'],
    ['hello', 'it must have a list of clouds'],
    [stringify({ clouds: {} }), 'it has no clouds'],
    [stringify({ clouds: { a: 'hidden' } }), 'it must be a list of settings'],
    [yamlOf({ ...password, auth_url: 'cloud.example.com' }), 'it must have `auth` with `auth_url`'],
    [yamlOf({ ...password, auth_url: 'https://' }), '`auth_url` is not an address'],
    [yamlOf({ ...password, password: undefined }), '`auth` must have `password`'],
    [yamlOf({ ...password, user_domain_name: undefined }), '`username` with `user_domain_name`'],
    [yamlOf({ ...password, project_domain_name: undefined }), '`project_name` needs'],
    [yamlOf({ ...password, project_name: undefined }), 'must name a project or a domain'],
    [yamlOf({ ...password, passcode: 'hidden' }), 'the setting `passcode` is not supported'],
    [yamlOf({ auth_url: 'https://a', application_credential_secret: 'hidden' }), '`application_credential_id`'],
    [yamlOf(password, { auth_type: 'v3oidcpassword' }), '`auth_type` must be'],
    [yamlOf(password, { profile: 'vexxhost' }), 'the setting `profile` is not supported'],
    [yamlOf(password, { compute_endpoint_override: 'https://a' }), 'the setting `compute_endpoint_override`'],
    [yamlOf(password, { identity_api_version: 2 }), '`identity_api_version` must be 3'],
    [yamlOf(password, { interface: 'private' }), '`interface` must be'],
    [yamlOf(password, { cacert: '/etc/ca.pem' }), '`cacert` names a file'],
    [yamlOf(password, { cacert: '-----BEGIN hidden' }), '`cacert` is not a certificate'],
    [
      yamlOf(password, { cacert: '/etc/ca.pem' }),
      '`cacert` cannot be read',
      { readAuthority: () => Promise.reject(new Error('hidden')) },
    ],
  ])('%s', async (text, sentence, options) => {
    const failure: unknown = await readCloudsYaml(text, options).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderFailure', kind: 'invalid' });
    expect(String(failure)).toContain(sentence);
    expect(String(failure)).not.toContain('hidden');
  });
});
