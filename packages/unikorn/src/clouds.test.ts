import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { connectionOf } from './clouds.ts';

const auth = {
  auth_url: 'https://cloud.example.com:5000/v3',
  username: 'unikorn',
  user_domain_name: 'platform',
  password: 'hidden',
  project_name: 'unikorn-provider',
  project_domain_name: 'platform',
};
const yamlOf = (changes: object, more: object = {}) =>
  stringify({ clouds: { production: { auth: { ...auth, ...changes }, ...more } } });

describe('a clouds.yaml for a region', () => {
  it('becomes settings without credentials, and a secret', async () => {
    const { settings, secret } = await connectionOf(
      yamlOf({}, { region_name: 'RegionOne', interface: 'internal' }),
      {},
    );
    expect(settings).toEqual({ endpoint: auth.auth_url, regionName: 'RegionOne', interface: 'internal' });
    expect(secret).toEqual({
      'domain-name': 'platform',
      'project-name': 'unikorn-provider',
      'user-name': 'unikorn',
      password: 'hidden',
    });
  });

  it('may have ids', async () => {
    const ids = { user_id: 'u', project_id: 'p', user_domain_id: 'd', project_domain_id: 'd' };
    const text = yamlOf({ ...ids, username: undefined, user_domain_name: undefined, project_name: undefined });
    await expect(connectionOf(text, {})).rejects.toThrow('must name the domain of the region');
    const named = yamlOf({ project_id: 'p', user_domain_name: undefined, user_domain_id: 'd' });
    expect((await connectionOf(named, {})).secret).toMatchObject({ 'domain-id': 'd', 'project-id': 'p' });
  });

  it.each([
    ['another domain for the project', yamlOf({ project_domain_name: 'other' }), 'must be in the same domain'],
    [
      'a domain only',
      yamlOf({ project_name: undefined, project_domain_name: undefined, domain_name: 'platform' }),
      'must name the project of the region',
    ],
    [
      'an application credential',
      yamlOf({ password: undefined, application_credential_id: 'i', application_credential_secret: 'hidden' }),
      'an application credential cannot create projects',
    ],
    ['no clouds', 'clouds: {}', 'it has no clouds'],
  ])('with %s is refused, and the password is not said', async (_name, text, why) => {
    const refused = connectionOf(text, {});
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.not.toThrow('hidden');
  });
});
