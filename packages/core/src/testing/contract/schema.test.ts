import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Json } from '../json.ts';
import { schemaGaps, type Direction } from './schema.ts';

function gaps(direction: Direction, ours: Json, contract: Json) {
  return schemaGaps({ direction, ours, contract, at: 'x' });
}

const object = (properties: Json, required: readonly string[] = []): Json => ({ type: 'object', properties, required });
const text = { type: 'string' };

/** A wide schema, a narrow one, and their difference. */
const pairs: readonly (readonly [Json, Json, string])[] = [
  [{ type: 'number' }, { type: 'integer' }, 'type'],
  [{ type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }, 'enum'],
  [text, { type: 'string', enum: ['a'] }, 'enum'],
  [{ type: 'string', nullable: true }, text, 'nullable'],
  [text, { type: 'string', maxLength: 3 }, 'maxLength'],
  [{ type: 'string', maxLength: 4 }, { type: 'string', maxLength: 3 }, 'maxLength'],
  [{ type: 'integer', minimum: 0 }, { type: 'integer', minimum: 1 }, 'minimum'],
  [text, { type: 'string', pattern: '^a' }, 'pattern'],
  [text, { type: 'string', format: 'uuid' }, 'format'],
  [object({}), { type: 'object', additionalProperties: false }, 'additionalProperties'],
];

describe('a schema', () => {
  it('is compatible with itself', () => {
    const leaf = fc.oneof(
      fc.constant(text),
      fc.record({ type: fc.constant('string'), enum: fc.array(fc.string()), maxLength: fc.nat() }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer() }),
    );
    const around = (inner: fc.Arbitrary<Json>) => {
      const whole = fc
        .dictionary(fc.string(), inner, { maxKeys: 3 })
        .map((properties) => object(properties, Object.keys(properties)));
      return fc.oneof(
        inner,
        whole,
        fc.record({ type: fc.constant('array'), items: inner }),
        fc.record({ allOf: fc.array(whole, { maxLength: 3 }) }),
      );
    };
    const schema = around(around(leaf));
    fc.assert(
      fc.property(
        schema,
        fc.constantFrom<Direction>('request', 'response'),
        (same, direction) => gaps(direction, same, structuredClone(same)).length === 0,
      ),
    );
  });

  it.each(pairs)('%j may replace %j in requests and not in responses (%s)', (wide, narrow, keyword) => {
    expect(gaps('request', wide, narrow)).toEqual([]);
    expect(gaps('response', narrow, wide)).toEqual([]);
    expect(gaps('request', narrow, wide)).toEqual([expect.stringContaining(`x: ${keyword} is `)]);
    expect(gaps('response', wide, narrow)).toEqual([expect.stringContaining(`x: ${keyword} is `)]);
  });

  it('may require less and promise more', () => {
    const [optional, required] = [object({ a: text }), object({ a: text }, ['a'])];
    expect(gaps('request', optional, required)).toEqual([]);
    expect(gaps('response', required, optional)).toEqual([]);
    expect(gaps('request', required, optional)).toEqual(['x.a: is required, but not in the contract']);
    expect(gaps('response', optional, required)).toEqual(['x.a: may be absent, but not in the contract']);
  });

  it.each<Direction>(['request', 'response'])(
    'has every property of the contract in a %s, at any depth, and may have more',
    (direction) => {
      const nested = (properties: Json) => ({ type: 'array', items: object({ spec: object(properties) }) });
      expect(gaps(direction, nested({ a: text, b: text }), nested({ a: text }))).toEqual([]);
      expect(gaps(direction, nested({ b: text }), nested({ a: text }))).toEqual(['x[].spec.a: is missing']);
    },
  );

  it('is compared with all of its parts', () => {
    const parts = {
      allOf: [
        { required: ['a'], properties: { a: text } },
        { allOf: [object({ b: { type: 'string', format: 'date-time' } }, ['b'])] },
      ],
    };
    expect(
      gaps('response', object({ a: text, b: { type: 'string', format: 'date-time' } }, ['a', 'b']), parts),
    ).toEqual([]);
    expect(gaps('response', object({ a: text, b: text }, ['a']), parts)).toEqual([
      'x.b: may be absent, but not in the contract',
      'x.b: format is absent, but in the contract "date-time"',
    ]);
  });
});
