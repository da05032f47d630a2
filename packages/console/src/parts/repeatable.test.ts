import { ApiError, ConnectionError } from '@unikorn/sdk';
import { expect, it } from 'vitest';

import { repeatable } from './repeatable.ts';

/** The keys that were sent with these drafts, each of which ended like this. */
async function keysOf(...requests: readonly (readonly [draft: string, outcome: Error | 'made'])[]) {
  const repeat = repeatable();
  const keys: string[] = [];
  for (const [draft, outcome] of requests)
    await repeat(draft, (headers) => {
      keys.push(headers['Idempotency-Key']);
      return outcome === 'made' ? Promise.resolve('made') : Promise.reject(outcome);
    }).catch(() => undefined);
  return keys;
}

const request = 'POST https://cloud.example.com/compute/api/v2/instances';
const lost = new ConnectionError(request, new Error('the connection broke'));
const refusal = (status: number, message: string) =>
  new ApiError({ status, message, request, code: 'conflict', traceId: undefined, body: undefined });

it.each([
  ['a lost answer', lost],
  ['a failure of the service', refusal(503, 'the store does not answer')],
  ['the first request still running', refusal(409, 'header Idempotency-Key: the first request is still running')],
])('a draft keeps its key after %s', async (_, outcome) => {
  const [first, second] = await keysOf(['web', outcome], ['web', 'made']);
  expect(second).toBe(first);
});

it('another draft has another key', async () => {
  const [first, second] = await keysOf(['web', lost], ['shop', 'made']);
  expect(second).not.toBe(first);
});

it.each([
  ['a refusal, so that the service decides again', refusal(403, 'the quota of servers is used up')],
  ['a success, so that a second object can be created', 'made' as const],
])('the same draft has another key after %s', async (_, outcome) => {
  const [first, second] = await keysOf(['web', outcome], ['web', 'made']);
  expect(second).not.toBe(first);
});
