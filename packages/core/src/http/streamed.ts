import type { World } from '../world/index.ts';
import type { Request, StreamedReply } from './request.ts';

/** The whole body of a streamed response, for a caller in the same process. */
export async function wholeBody({ text }: StreamedReply): Promise<unknown> {
  const pieces: string[] = [];
  for await (const piece of text) pieces.push(piece);
  const body: unknown = JSON.parse(pieces.join(''));
  return body;
}

/** One element of a list as JSON, after validation against its schema. */
export function elementText(
  request: Pick<Request, 'violates'>,
  element: unknown,
  violation: (element: unknown) => string | undefined,
): string {
  const found = violation(element);
  if (found !== undefined) request.violates(found);
  return JSON.stringify(element);
}

/** The elements of a list as one JSON array. */
export async function* jsonArray(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const elements of pages) {
    // An empty piece lets the reader stop when a long read shows few objects.
    yield elements.length === 0 ? '' : separator + elements.join(',');
    if (elements.length > 0) separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/**
 * An object whose last property is written while it is read.
 *
 * @example jsonObject({ kind: 'servers' }, 'allocations', jsonArray(pages)) // {"kind":"servers","allocations":[…]}
 */
export async function* jsonObject(
  properties: object,
  name: string,
  value: AsyncIterable<string>,
): AsyncGenerator<string> {
  const text = JSON.stringify(properties).slice(0, -1);
  yield `${text}${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
  yield* value;
  yield '}';
}

/** Joins pieces of text into chunks that are large enough to send. */
export async function* inChunks(text: AsyncIterable<string>, chunkBytes: number): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of text) {
    chunk += piece;
    if (chunk.length < chunkBytes) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Passes chunks on as they are read, and calls `stalled` when one is not read in time. */
export async function* unlessStalled<T>(
  chunks: AsyncIterable<T>,
  { world, stall_ms, stalled }: { readonly world: World; readonly stall_ms: number; readonly stalled: () => void },
): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    const cancel = world.after(stall_ms, stalled);
    try {
      yield chunk;
    } finally {
      cancel();
    }
  }
}
