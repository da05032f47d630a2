import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { Problem } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import type { StoredObject } from '../store/index.ts';
import type { ObjectSource } from './source.ts';

const Header = Type.Object({
  format: Type.Literal('unikorn-objects/1'),
  /** The release that wrote the file, and when. */
  release: Type.String(),
  time: Type.String(),
});
const Line = Type.Object({ kind: Type.String(), object: Type.Object({}) });
const End = Type.Object({ objects: Type.Integer(), digest: Type.String() });
const [header, line, end] = [Compile(Header), Compile(Line), Compile(End)];

export type FileHeader = Omit<Static<typeof Header>, 'format'>;

/**
 * Writes objects to a new file: a header, one line of JSON for each object, and a last line with their number and
 * digest, which shows that the file is complete.
 */
export async function writeObjects(
  path: string,
  objects: AsyncIterable<StoredObject>,
  about: FileHeader,
): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  const digest = createHash('sha256');
  let count = 0;
  try {
    await file.write(`${JSON.stringify({ format: 'unikorn-objects/1', ...about })}\n`);
    for await (const { kind, object } of objects) {
      const text = `${JSON.stringify({ kind: kind.id, object })}\n`;
      digest.update(text);
      count++;
      await file.write(text);
    }
    await file.write(`${JSON.stringify({ objects: count, digest: digest.digest('hex') })}\n`);
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}

/**
 * The objects of such a file. Reading fails if the file is damaged or incomplete, or has a kind that this release does
 * not know.
 */
export function fileSource(path: string, kinds: readonly Kind[]): ObjectSource {
  const byId = new Map(kinds.map((kind) => [kind.id, kind]));
  return {
    async *objects() {
      const digest = createHash('sha256');
      let count = 0;
      let last: unknown;
      for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
        const value = parsed(path, text);
        if (last === undefined && !header.Check(value)) throw damaged(path, 'its first line is not a header');
        last = value;
        if (!line.Check(value)) continue;
        const kind = byId.get(value.kind);
        if (!kind) throw damaged(path, `it has the kind ${value.kind}, which this release does not know`);
        digest.update(`${text}\n`);
        count++;
        yield { kind, object: asResource(value.object) };
      }
      if (!end.Check(last) || last.objects !== count || last.digest !== digest.digest('hex'))
        throw damaged(path, 'it is incomplete, or was changed');
    },
  };
}

/** The digest of the file is checked, and a store checks each object again. */
function asResource(value: object): Resource;
function asResource(value: unknown): unknown {
  return value;
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(path, 'a line is not JSON');
  }
}

function damaged(path: string, why: string): Problem {
  return new Problem('storage_unusable', `${path} is not a usable backup: ${why}`);
}
