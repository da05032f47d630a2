import { describe, expect, it } from 'vitest';

import { settings } from '../configuration/settings.ts';
import { resolved } from '../configuration/resolve.ts';
import { chosenParts, isSplit, mistakesInParts, remoteServices } from './choice.ts';
import { partsHelp, partTable } from './table.ts';

function configured(values: Readonly<Record<string, unknown>>) {
  const given = Object.entries(values).map(([key, value]) => {
    const setting = settings.find((each) => each.key === key);
    if (!setting) throw new Error(`there is no ${key}`);
    return { setting, value, origin: 'test' };
  });
  return resolved(given).configuration;
}

const complete = {
  'server.publicUrl': 'https://cloud.example.com',
  'services.identityUrl': 'https://identity:8443/identity',
  'services.regionUrl': 'https://region:8443/region',
  'services.certificates': '/tls',
};

describe('the choice of parts', () => {
  it('is all of them by default, and needs no other setting', () => {
    const configuration = configured({});
    expect(chosenParts(configuration)).toHaveLength(partTable.length);
    expect(isSplit(configuration)).toBe(false);
    expect(mistakesInParts(configuration)).toEqual([]);
  });

  it('takes the name of a service for all its parts', () => {
    const configuration = configured({ 'services.parts': ['identity', 'region/monitor'] });
    expect(chosenParts(configuration)).toEqual([
      'identity/api',
      'identity/organization-controller',
      'identity/project-controller',
      'identity/oauth2client-controller',
      'region/monitor',
    ]);
    expect(isSplit(configuration)).toBe(true);
  });

  it('tells which services are called in other processes', () => {
    expect(remoteServices(['identity/api', 'region/api', 'compute/api'])).toEqual([]);
    expect(remoteServices(['region/monitor'])).toEqual([]);
    expect(remoteServices(['region/api'])).toEqual(['identity']);
    expect(remoteServices(['compute/monitor'])).toEqual(['identity', 'region']);
  });

  it.each(partTable.map(({ name }) => name))('of %s alone works with the addresses and certificates', (name) => {
    expect(mistakesInParts(configured({ ...complete, 'services.parts': [name] }))).toEqual([]);
  });
});

describe('a mistake in the choice of parts', () => {
  it('in a name is answered with all names', () => {
    const [mistake, ...more] = mistakesInParts(configured({ ...complete, 'services.parts': ['region/servers'] }));
    expect(more).toEqual([]);
    expect(mistake).toMatch(
      /^--only: there is no part "region\/servers"; use one of identity, region, compute, identity\/api,/,
    );
    for (const { name } of partTable) expect(mistake).toContain(name);
  });

  it('names each setting that is missing', () => {
    expect(mistakesInParts(configured({ 'services.parts': ['compute/api'] }))).toEqual([
      'compute/api calls identity/api, which this process does not run: set services.identityUrl (--identity-url, UNIKORN_IDENTITY_URL), or add identity/api to --only',
      'compute/api calls region/api, which this process does not run: set services.regionUrl (--region-url, UNIKORN_REGION_URL), or add region/api to --only',
      'a process that runs only some parts needs server.publicUrl (--public-url, UNIKORN_PUBLIC_URL): the address at which clients reach the platform, the same in every process',
      'calls to identity and region use mutual TLS: set services.certificates (--certificates, UNIKORN_CERTIFICATES) to a folder with tls.crt, tls.key and ca.crt',
    ]);
    expect(
      mistakesInParts(
        configured({
          'services.parts': ['identity'],
          'services.port': 8443,
          'server.publicUrl': 'https://cloud.example.com',
        }),
      ),
    ).toEqual([
      'services.port accepts calls over mutual TLS: set services.certificates (--certificates, UNIKORN_CERTIFICATES) to a folder with tls.crt, tls.key and ca.crt',
    ]);
  });

  it('is to give two services one certificate', () => {
    expect(mistakesInParts(configured({ ...complete, 'services.parts': ['region', 'compute'] }))).toEqual([
      'parts of region and compute in one process need identity/api in the same process, because a process calls identity with the certificate of one service',
    ]);
    expect(
      mistakesInParts(configured({ ...complete, 'services.parts': ['identity', 'region', 'compute/api'] })),
    ).toEqual([]);
  });
});

it('the help explains every part in a line', () => {
  const lines = partsHelp().split('\n');
  for (const { name, work } of partTable) expect(lines.filter((line) => line.includes(`${name} `))[0]).toContain(work);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
});
