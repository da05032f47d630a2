import { ApiError, ConnectionError } from '@unikorn/sdk';
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
});

it('a broken connection and the page of a proxy are said in plain words', () => {
  const request = 'POST http://127.0.0.1/compute/api/v2/instances';
  expect(headlineOf(new ConnectionError(request, new Error('Failed to fetch')))).toBe(
    'The server cannot be reached. Check your network connection, then try again.',
  );
  const code = 'unexpected_answer';
  const message = 'http://127.0.0.1 did not answer like a control plane: 502 <html>';
  const page = new ApiError({ status: 502, code, message, request, traceId: undefined, body: undefined });
  expect(headlineOf(page)).toMatch(/^The server did not answer as expected \(status 502\)/);
});
