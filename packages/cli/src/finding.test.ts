import { describe, expect, it } from 'vitest';

import { meant, toldApart, unknown } from './finding.ts';
import { network } from './nouns/network.ts';
import type { Named } from './nouns/noun.ts';

function named(id: string, name: string, { projectId = 'p', prefix = '10.0.0.0/24' } = {}): Named {
  return { metadata: { id, name, projectId }, ...{ spec: { dnsNameservers: [] }, status: { prefix, regionId: 'r' } } };
}

describe('a resource', () => {
  const objects = [named('1', 'web'), named('2', 'web'), named('3', 'db'), named('web', 'other')];

  it('is found by id before name', () => {
    expect(meant(network, objects, '2')).toEqual([objects[1]]);
    expect(meant(network, objects, 'web')).toEqual([objects[3]]);
  });

  it('is found by name', () => {
    expect(meant(network, objects, 'db')).toEqual([objects[2]]);
    expect(meant(network, objects.slice(0, 3), 'web')).toEqual(objects.slice(0, 2));
  });

  it('is distinguished from others with its name by the differences', async () => {
    const names = (noun: string, id: string) => Promise.resolve(`${noun} of ${id}`);
    expect(await toldApart(network, [named('1', 'web'), named('2', 'web', { prefix: '10.9.0.0/24' })], names)).toEqual([
      '  ID   PREFIX',
      '  1    10.0.0.0/24',
      '  2    10.9.0.0/24',
    ]);
    expect(await toldApart(network, [named('1', 'web'), named('2', 'web', { projectId: 'q' })], names)).toEqual([
      '  ID   PROJECT',
      '  1    project of p',
      '  2    project of q',
    ]);
  });

  it('that does not exist has suggestions', () => {
    expect(unknown(network, objects, 'wep')).toMatchObject({
      ending: 'notFound',
      message: 'there is no network wep',
      hints: ['did you mean web?'],
    });
  });

  it('may be in another project', () => {
    expect(unknown(network, objects, 'lab', { scope: 'project', names: ['research'] })).toMatchObject({
      ending: 'notFound',
      message: 'there is no network lab in this project',
      hints: ['there is one in research: add --project research'],
    });
  });
});
