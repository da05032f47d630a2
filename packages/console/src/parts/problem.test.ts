import { expect, it } from 'vitest';

import { fieldProblem, headlineOf } from './problem.tsx';

const fields = [{ label: 'Name', path: 'metadata.name' }, { label: 'Prefix', path: 'spec.prefix' }, { label: 'Size' }];

it('a sentence about a field names it as the form does', () => {
  const refusal = new Error('body.spec.prefix: 10.0.0.5/24 has host bits set; did you mean 10.0.0.0/24?');
  expect(headlineOf(refusal, fields)).toBe('Prefix: 10.0.0.5/24 has host bits set; did you mean 10.0.0.0/24?');
  expect(fieldProblem(refusal, 'spec.prefix')).toBe('10.0.0.5/24 has host bits set; did you mean 10.0.0.0/24?');
});

it('any other sentence stays as it is, and begins with a capital letter', () => {
  expect(headlineOf(new Error('the quota is full: 5 of 5 servers'), fields)).toBe('The quota is full: 5 of 5 servers');
  expect(headlineOf(new Error('body.quotas.6.quantity: must be smaller'))).toBe('Quotas.6.quantity: must be smaller');
  expect(headlineOf(new Error('http://127.0.0.1 cannot be reached'))).toBe('http://127.0.0.1 cannot be reached');
});
