import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';

import { limits, waits } from '../../limits.ts';
import { capture, virtualWorld } from '../../testing/index.ts';
import { Widget } from '../conformance/kinds.ts';
import type { AnswerStream } from './client.ts';
import { KindStream } from './kind-stream.ts';
import { Outages } from './outages.ts';
import { Timeline } from './timeline.ts';

/** A stream of an API server that lets the process list, and answers a watch with the present status. */
function stage() {
  const world = virtualWorld();
  const lines: string[] = [];
  const api = { status: 403, watches: 0 };
  const answer = async function* () {
    if (api.status === 200) await new Promise(() => undefined);
    yield Buffer.from('{"kind":"Status","message":"no"}\n');
  };
  const stream = new KindStream({
    world,
    client: {
      send: () =>
        Promise.resolve({ status: 200, body: { metadata: { resourceVersion: '10' }, items: null }, length: 0 }),
      stream: (): Promise<AnswerStream> => {
        api.watches++;
        return Promise.resolve({ status: api.status, chunks: answer() });
      },
    },
    namespace: 'cloud',
    kind: Widget,
    timeline: new Timeline(() => undefined),
    outages: new Outages(world, pino({ base: null }, capture(lines))),
    from: 10,
    predecessorOf: () => undefined,
    received: () => undefined,
  });
  onTestFinished(() => {
    stream.close();
  });
  return { world, lines, api, stream };
}

it('asks an API server that refuses the watch ever more seldom, and goes on soon after it is allowed', async () => {
  const { world, lines, api, stream } = stage();
  const hour_ms = 3_600_000;
  await world.advance(hour_ms);
  expect(api.watches).toBeLessThanOrEqual(10 + hour_ms / (limits.backoffMax_ms / 2));
  expect(lines.length).toBeLessThanOrEqual(1 + hour_ms / waits.repeatedWarning_ms);
  expect(stream.isConnected).toBe(false);
  lines.length = 0;
  api.status = 200;
  await world.advance(limits.backoffMax_ms);
  expect(stream.isConnected).toBe(true);
  expect(lines).toEqual([expect.stringContaining('the watch of widgets works again')]);
});

it('asks an API server that does not answer again within seconds', async () => {
  const { world, api } = stage();
  api.status = 503;
  await world.advance(60_000);
  const before = api.watches;
  await world.advance(waits.kubernetesPauseMax_ms);
  expect(api.watches).toBeGreaterThan(before);
});
