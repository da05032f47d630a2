import { describe, expect, it } from 'vitest';

import { network } from './nouns/network.ts';
import type { Named } from './nouns/noun.ts';
import { user } from './nouns/user.ts';
import { chosen, nameOf, placeOf } from './resources.ts';

function named(id: string, name: string, projectId = 'p'): Named {
  return { metadata: { id, name, projectId } };
}

describe('the one that is meant', () => {
  const objects = [named('1', 'web'), named('2', 'web', 'q'), named('3', 'db'), named('web', 'other')];

  it('is the one with that id before any with that name', () => {
    expect(chosen(network, objects, '2')).toBe(objects[1]);
    expect(chosen(network, objects, 'web')).toBe(objects[3]);
  });

  it('is the only one with that name', () => {
    expect(chosen(network, objects, 'db')).toBe(objects[2]);
  });

  it('is asked for, with the candidates, when several have the name', () => {
    expect(() => chosen(network, objects.slice(0, 3), 'web')).toThrow(expect.objectContaining({ ending: 'refused', message: 'several networks are called web; say which by its id', hints: ['  1  in project p', '  2  in project q'] }) as Error);
  });

  it('is guessed at when there is none', () => {
    expect(() => chosen(network, objects, 'wep')).toThrow(expect.objectContaining({ ending: 'notFound', message: 'there is no network wep', hints: ['did you mean web?'] }) as Error);
  });

  it('may be in a project that nobody named', () => {
    expect(() => chosen(network, objects, 'lab', ['research'])).toThrow(expect.objectContaining({ ending: 'notFound', message: 'there is no network lab in this project', hints: ['there is one in research: add --project research'] }) as Error);
  });
});

describe('a resource', () => {
  it('is called by what people call it', () => {
    const alice = { metadata: { id: '1', name: 'alice' }, spec: { subject: 'alice@example.com' } };
    expect(nameOf(user, alice)).toBe('alice@example.com');
  });

  it('is where its metadata and its region say', () => {
    const object = { metadata: { id: '1', name: 'web', organizationId: 'o', projectId: 'p' }, status: { regionId: 'r' } };
    expect(placeOf(object)).toEqual({ organization: 'o', project: 'p', region: 'r' });
  });
});
