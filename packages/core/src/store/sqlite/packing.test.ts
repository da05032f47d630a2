import fc from 'fast-check';
import { expect, it } from 'vitest';

import { packed, unpacked } from './packing.ts';
import type { Batch, Operation } from './writer.ts';

const operation: fc.Arbitrary<Operation> = fc.record({
  type: fc.constantFrom('added', 'modified', 'deleted'),
  kind: fc.nat(),
  name: fc.string(),
  expected: fc.nat(),
  data: fc.string(),
  previous: fc.option(fc.string()),
  removedLabels: fc.array(fc.tuple(fc.nat(), fc.string()), { maxLength: 3 }),
  addedLabels: fc.array(fc.tuple(fc.nat(), fc.string()), { maxLength: 3 }),
  removedOwners: fc.array(fc.string(), { maxLength: 3 }),
  addedOwners: fc.array(fc.tuple(fc.string(), fc.constantFrom(0, 1)), { maxLength: 3 }),
});
const batches: fc.Arbitrary<Batch[]> = fc.array(
  fc.record({ operations: fc.array(operation, { maxLength: 4 }), collected: fc.nat() }),
  { maxLength: 4 },
);

it('batches are the same when they are unpacked', () => {
  fc.assert(
    fc.property(batches, (some) => {
      expect(unpacked(packed(some))).toEqual(some);
    }),
  );
});
