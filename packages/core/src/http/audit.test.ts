import { describe, expect, it } from 'vitest';

import { forwardedCertificate } from '../access/certificate.fixture.ts';
import { encodePrincipal } from '../access/index.ts';
import { openBench, thingId, validThing } from './things.fixture.ts';

describe('the audit record', () => {
  it('contains a create without path variables, and the id of the new object', async () => {
    await using bench = await openBench();
    const created = (await bench.call('POST', '/api/v2/things', { body: validThing })).json<{
      metadata: { id: string };
    }>();
    expect(bench.audited).toEqual([
      {
        component: { name: 'things', version: '1.2.3' },
        actor: {
          subject: 'member@example.com',
          principal: { actor: 'member@example.com', type: 'user', organizationIds: ['o1'] },
        },
        client: { address: '127.0.0.1' },
        operation: { verb: 'POST', id: 'createThing' },
        scope: {},
        resource: { type: 'things', id: created.metadata.id },
        result: { status: 201 },
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
    ]);
  });

  it.each([
    ['POST', '/start', { operation: { verb: 'POST', id: 'startThing', action: 'start' }, result: { status: 202 } }],
    ['DELETE', '', { operation: { verb: 'DELETE', id: 'deleteThing' }, result: { status: 202 } }],
  ] as const)('contains verbs without a body: %s %s', async (method, tail, expected) => {
    await using bench = await openBench();
    await bench.makeThing(thingId(1));
    await bench.call(method, `/api/v2/things/${thingId(1)}${tail}`);
    expect(bench.audited).toMatchObject([
      { ...expected, scope: { thingID: thingId(1) }, resource: { type: 'things', id: thingId(1) } },
    ]);
  });

  it('contains refusals, and never reads', async () => {
    await using bench = await openBench();
    await bench.call('GET', '/api/v2/things');
    await bench.call('POST', '/api/v2/things', { as: 'stranger', body: validThing });
    await bench.call('POST', '/api/v2/things', { as: null, body: validThing });
    expect(bench.audited).toMatchObject([
      { actor: { subject: 'stranger@example.com' }, resource: { type: 'things' }, result: { status: 403 } },
      { actor: { subject: '' }, result: { status: 401 } },
    ]);
  });

  it('names the user behind a service', async () => {
    await using bench = await openBench({ certificates: 'forwarded' });
    await bench.call('POST', '/api/v2/things', {
      as: null,
      body: validThing,
      headers: {
        'ssl-client-cert': forwardedCertificate,
        'ssl-client-verify': 'SUCCESS',
        'x-principal': encodePrincipal({ actor: 'ann@example.com', organizationId: 'o1' }),
      },
    });
    expect(bench.audited).toMatchObject([
      {
        actor: { subject: 'unikorn-compute', principal: { actor: 'ann@example.com', organizationId: 'o1' } },
        result: { status: 201 },
      },
    ]);
  });
});
