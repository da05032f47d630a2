import fc from 'fast-check';
import { expect, it } from 'vitest';

import { normaliseSubject } from '../kinds/index.ts';
import { accountIdOf, parseAccountId } from './account.ts';

const marked = fc.tuple(fc.string(), fc.uuid()).map(([name, id]) => `${name}#VOUCHED-BY:${id}`);
const subjects = fc.oneof(fc.emailAddress(), fc.string(), marked);

it('an account contains its user and the vouching organization', () => {
  fc.assert(
    fc.property(subjects, fc.option(fc.uuid(), { nil: undefined }), (subject, vouchedBy) => {
      const { subject: person, vouchedBy: voucher } = parseAccountId(accountIdOf({ subject, vouchedBy }));
      expect([person, voucher]).toEqual([normaliseSubject(subject), vouchedBy]);
    }),
  );
});

it('an account without a vouching organization is its subject', () => {
  expect(accountIdOf({ subject: 'alice@example.com' })).toBe('alice@example.com');
});
