import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';

import { limits } from '../limits.ts';
import { KubernetesEngine } from '../store/kubernetes/engine.ts';
import { virtualWorld } from '../testing/index.ts';
import { openBench, thingId, validThing, type Bench, type CallOptions } from './things.fixture.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server whose store is in an API server that gives these answers. */
async function openOn(answer: Answer, requestTimeout_ms: number = limits.requestTimeout_ms): Promise<Bench> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const world = virtualWorld();
  const store = new KubernetesEngine({
    world,
    access: {
      server: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      tls: () => ({}),
      headers: () => Promise.resolve({}),
    },
    namespace: 'cloud',
  });
  const bench = await openBench({ world, store, limits: { requestTimeout_ms } });
  onTestFinished(async () => {
    await bench[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
  });
  return bench;
}

/** Sends a request, and lets the time pass until its answer. */
async function answered(
  bench: Bench,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  options: CallOptions = {},
): Promise<{ readonly status: number; readonly retryAfter: unknown; readonly text: string }> {
  let answer: LightMyRequestResponse | undefined;
  const url = method === 'POST' ? '/api/v2/things' : `/api/v2/things/${thingId(1)}`;
  const asked = bench.call(method, url, options).then((given) => {
    answer = given;
  });
  while (answer === undefined) {
    await bench.world.advance(50);
  }
  await asked;
  const { error_description: text } = answer.json<{ error_description: string }>();
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], text };
}

const silent: Answer = () => undefined;

/** Answers reads, says that nothing exists, and never answers a write. */
const deafToWrites: Answer = ({ method, url = '' }, response) => {
  if (method !== 'GET') return;
  const name = url.slice(url.lastIndexOf('/') + 1);
  response
    .writeHead(404, { 'content-type': 'application/json' })
    .end(JSON.stringify({ kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', details: { name } }));
};

const noAnswer = 'the Kubernetes API server does not answer at the moment';
const late = 'no result within 5 seconds, because a system that the request needs is too slow at the moment';
const safe = 'the change may have been made: it is safe to send it again with the same Idempotency-Key';
const list =
  'the change may have been made: list the resources before you send it again. With an Idempotency-Key, it is safe to send it again';
const key = { 'idempotency-key': 'one' };

describe('a request whose store never answers', () => {
  it('ends when the store gives up, with 503 and the time to try again', async () => {
    expect(await answered(await openOn(silent), 'GET')).toEqual({
      status: 503,
      retryAfter: '5',
      text: `${noAnswer}; try again in a moment`,
    });
  });

  it('ends at the deadline of the request if that is earlier', async () => {
    expect(await answered(await openOn(silent, 5_000), 'GET')).toEqual({
      status: 503,
      retryAfter: '10',
      text: `${late}; try again in a moment`,
    });
  });

  it.each([
    ['a creation with a key', 'POST', { body: validThing, headers: key }, safe],
    ['a creation without a key', 'POST', { body: validThing }, list],
    [
      'a change',
      'PUT',
      { body: validThing },
      'the change may have been made: read the resource before you send it again',
    ],
    ['a deletion', 'DELETE', {}, 'the change may have been made: read the resource before you send it again'],
  ] as const)('says what to do after %s', async (_name, method, options, advice) => {
    expect((await answered(await openOn(silent, 5_000), method, options)).text).toBe(`${late}; ${advice}`);
    expect((await answered(await openOn(silent), method, options)).text).toBe(`${noAnswer}; ${advice}`);
  });
});

it('a write without an answer may have taken effect, and the answer says so', async () => {
  expect(await answered(await openOn(deafToWrites), 'POST', { body: validThing })).toEqual({
    status: 503,
    retryAfter: '5',
    text: `${noAnswer}; ${list}`,
  });
});
