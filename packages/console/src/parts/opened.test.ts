import { expect, it } from 'vitest';

import { ApiError } from '@unikorn/sdk';

import { writeBack, writeUnlessChanged } from './opened.ts';

const thing = (size: number) => ({ metadata: { name: 'a' }, spec: { size } });

function answer(size: number, tag: string) {
  return Promise.resolve({ data: thing(size), response: new Response(null, { headers: { ETag: tag } }) });
}

const refusal = (status: number, code: string) =>
  new ApiError({ status, code, message: 'refused', request: 'PUT /things/a', traceId: undefined, body: undefined });

it('an object that is still as it was opened is written, and only in the version that was compared', async () => {
  const sent: unknown[] = [];
  const changed = await writeUnlessChanged(
    thing(1),
    () => answer(1, '"7"'),
    (headers) => Promise.resolve(sent.push(headers)),
  );
  expect(changed).toBeUndefined();
  expect(sent).toEqual([{ 'If-Match': '"7"' }]);
});

it('an object that another user changed is returned, and not written', async () => {
  const changed = await writeUnlessChanged(
    thing(1),
    () => answer(2, '"8"'),
    () => Promise.reject(new Error('it was written')),
  );
  expect(changed).toEqual(thing(2));
});

it('a new version with the same content is written all the same', async () => {
  let version = 7;
  const sent: unknown[] = [];
  await writeUnlessChanged(
    thing(1),
    () => answer(1, `"${(version += 1)}"`),
    (headers) => {
      sent.push(headers);
      return version < 10 ? Promise.reject(refusal(412, 'precondition_failed')) : Promise.resolve();
    },
  );
  expect(sent).toEqual([{ 'If-Match': '"8"' }, { 'If-Match': '"9"' }, { 'If-Match': '"10"' }]);
});

it('a refusal for another reason is not tried again', async () => {
  let attempts = 0;
  const saved = writeUnlessChanged(
    thing(1),
    () => answer(1, '"7"'),
    () => {
      attempts += 1;
      return Promise.reject(refusal(403, 'forbidden'));
    },
  );
  await expect(saved).rejects.toThrow('refused');
  expect(attempts).toBe(1);
});

it('an old value is written back into the object as it is now, in the version that was read', async () => {
  const sent: unknown[] = [];
  const done = await writeBack(
    ({ spec }) => spec.size === 2,
    () => answer(2, '"9"'),
    (current, headers) => Promise.resolve(sent.push(current, headers)),
  );
  expect(done).toBe(true);
  expect(sent).toEqual([thing(2), { 'If-Match': '"9"' }]);
});

it('nothing is written back over the value of another user, also if it arrives between reading and writing', async () => {
  let size = 2;
  const done = await writeBack(
    ({ spec }) => spec.size === 2,
    () => answer(size, `"${size}"`),
    () => {
      size = 3;
      return Promise.reject(refusal(412, 'precondition_failed'));
    },
  );
  expect(done).toBe(false);
});
