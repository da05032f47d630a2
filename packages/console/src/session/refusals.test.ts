import { beforeEach, expect, it } from 'vitest';

import { reportingRefusals } from './refusals.ts';

let status = 403;
let reports = 0;
const send = reportingRefusals(
  () => Promise.resolve(new Response(null, { status })),
  () => {
    reports += 1;
  },
);
const networks = 'https://unikorn.example/region/api/v2/networks';

beforeEach(() => {
  reports = 0;
});

it('reports a read that is refused once, and again only after it was answered', async () => {
  await send(new Request(networks));
  await send(new Request(networks));
  expect(reports).toBe(1);
  await send(new Request(`${networks}/other`));
  expect(reports).toBe(2);
  status = 200;
  await send(new Request(networks));
  status = 403;
  await send(new Request(networks));
  expect(reports).toBe(3);
});

it('reports every write that is refused', async () => {
  await send(new Request(networks, { method: 'POST' }));
  await send(new Request(networks, { method: 'POST' }));
  expect(reports).toBe(2);
});

it('says nothing when the rights themselves cannot be read', async () => {
  await send(new Request('https://unikorn.example/identity/api/v1/organizations/o/acl'));
  expect(reports).toBe(0);
});

it('says nothing about other failures', async () => {
  status = 404;
  await send(new Request(`${networks}/gone`));
  expect(reports).toBe(0);
});
