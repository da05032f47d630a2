import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { v5 } from 'uuid';

import { virtualWorld } from '../testing/index.ts';
import { deterministicId, idParser, isDeterministic, randomId } from './index.ts';

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const network = 'b059b3e6-9ae5-42b7-94b4-f42fb7a6baee';
const named = /^[a-f][0-9a-f]{7}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('deterministic ids', () => {
  it.each([
    [dns, 'foo:bar', 'fd088d96-7c6b-5adf-8581-cbb18a5dad67'],
    [dns, 'foo:baz', 'fae08b48-6d31-57e0-ba2d-1619034aaae7'],
    [network, 'my-host', 'cea82847-20ce-5f13-87fb-9f3cc7da081d'],
    [network, 'web-1', 'decb6946-0c88-586a-aeaf-61d81e4a8305'],
    [network, 'db', 'bfc05808-c285-57c2-a5fe-debdbdbdee99'],
    [network, 'node.1', 'c6b16fa6-69a8-57d9-809b-4c0e2edf83af'],
  ])('in %s, %s is %s', (namespace, data, id) => {
    expect(deterministicId(namespace, data)).toBe(id);
  });

  it('every id begins with a letter, is repeatable, and is the plain UUIDv5 if that begins with a letter', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'binary' }), (namespace, data) => {
        const id = deterministicId(namespace, data);
        expect(id).toMatch(named);
        expect(deterministicId(namespace, data)).toBe(id);
        expect([isDeterministic(id), isDeterministic(namespace)]).toEqual([true, namespace.charAt(14) === '5']);
        const plain = v5(data, namespace);
        if (/^[a-f]/.test(plain)) expect(id).toBe(plain);
      }),
      { seed: 1 },
    );
  });

  it('a name in another namespace is another id', () => {
    expect(deterministicId(dns, 'db')).not.toBe(deterministicId(network, 'db'));
  });
});

describe('random ids', () => {
  it('begin with a letter, differ, and only depend on the world', () => {
    const draw = (seed: number) => {
      const world = virtualWorld(seed);
      return Array.from({ length: 200 }, () => randomId(world));
    };
    const ids = draw(3);
    expect(ids.every((id) => named.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(draw(3)).toEqual(ids);
  });
});

describe('parsing', () => {
  const parse = idParser<'network'>();

  it.each([network, dns, '00000000-0000-0000-0000-000000000000'])('%s is an id', (text) => {
    expect(parse(text)).toBe(text);
  });

  it.each([
    '',
    'network',
    network.toUpperCase(),
    ` ${network}`,
    `${network}\n`,
    network.replaceAll('-', ''),
    `${network}0`,
  ])('%j is not an id', (text) => {
    expect(parse(text)).toBeUndefined();
  });
});
