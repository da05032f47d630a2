import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import type { CompiledRoute } from './compiled.ts';
import type { Exchange } from './exchange.ts';
import { requireDeclared, type Pipeline } from './pipeline.ts';
import type { StreamedReply } from './request.ts';
import { inChunks, unlessStalled } from './streamed.ts';

/** A streamed response of which enough has been read to know whether it is short. */
export class Begun {
  readonly reply: StreamedReply;
  readonly begin: readonly string[];
  readonly rest: AsyncGenerator<string>;

  constructor(reply: StreamedReply, begin: readonly string[], rest: AsyncGenerator<string>) {
    this.reply = reply;
    this.begin = begin;
    this.rest = rest;
  }
}

/** Reads up to two chunks. An error until then is an ordinary refusal. */
export async function beginStreamed(
  pipeline: Pipeline,
  exchange: Exchange,
  compiled: CompiledRoute,
  reply: StreamedReply,
): Promise<Begun> {
  const rest = inChunks(whileAwaited(exchange, reply.text), limits.chunkBytes);
  const begin: string[] = [];
  while (begin.length < 2) {
    const next = await rest.next();
    if (next.done === true) {
      // Elements are already validated. The rest is only validated where tests enforce the contract.
      if (pipeline.contract === 'enforced')
        requireDeclared(pipeline, exchange, compiled, { status: reply.status, body: JSON.parse(begin.join('')) });
      break;
    }
    begin.push(next.value);
  }
  return new Begun(reply, begin, rest);
}

/** Stops reading when the client disconnected, or when its deadline passed. */
async function* whileAwaited(exchange: Exchange, text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) {
    if (!exchange.isAwaited) throw new Problem('invalid_request', 'the client has disconnected');
    yield piece;
  }
}

/**
 * A response of one chunk is sent with its length. A longer one is written as fast as the client reads it. If it fails
 * in the middle, the connection is cut, so that the client does not take a part for the whole.
 */
export async function sendStreamed(
  { runtime: { world }, limits: { stall_ms } }: Pipeline,
  exchange: Exchange,
  { route }: CompiledRoute,
  begun: Begun,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { begin, rest } = begun;
  const { status, headers = {} } = begun.reply;
  reply
    .code(status)
    .headers({ 'cache-control': route.cacheControl ?? 'no-cache', 'content-type': 'application/json', ...headers });
  const [first = '', ...others] = begin;
  // Sent as bytes, because Fastify adds a character set to the content type of text, which JSON does not have.
  if (others.length === 0) return reply.send(Buffer.from(first));
  exchange.passage?.hold('longAnswers');
  if (reply.request.method === 'HEAD') {
    await rest.return(undefined);
    return reply.send(Readable.from([]));
  }
  const stalled = () => {
    exchange.log.info('a response was aborted because the client does not read it');
    reply.raw.destroy();
  };
  return reply.send(
    Readable.from(unlessStalled(counted(exchange, logged(exchange, begin, rest)), { world, stall_ms, stalled }), {
      highWaterMark: 1,
    }),
  );
}

async function* logged(
  exchange: Exchange,
  begin: readonly string[],
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  try {
    yield* begin;
    yield* rest;
  } catch (error) {
    exchange.log.error({ error }, 'a response failed after it had started, and was aborted');
    throw error;
  }
}

async function* counted(exchange: Exchange, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    exchange.passage?.use(chunk.length / limits.listBytesPerRequest);
    yield chunk;
  }
}
