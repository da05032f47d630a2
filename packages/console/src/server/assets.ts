import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A name that the build gives: no path can lead out of the folder. */
const assetName = /^(assets\/)?[\w.-]+$/;

export interface Asset {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A built file in an encoding that the client accepts; undefined if there is no such file. */
export async function assetOf(folder: string, name: string, accepted: string): Promise<Asset | undefined> {
  const type = types[extname(name)];
  if (type === undefined || !assetName.test(name)) return undefined;
  const hashed = name.startsWith('assets/');
  const headers = {
    'content-type': type,
    // The name of a hashed file changes with its content.
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    vary: 'Accept-Encoding',
  };
  for (const [encoding, ending] of encodings)
    if (accepts(accepted, encoding)) {
      const body = await content(join(folder, `${name}${ending}`));
      if (body) return { body, headers: { ...headers, 'content-encoding': encoding } };
    }
  const body = await content(join(folder, name));
  return body && { body, headers };
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((each) => {
    const [name, quality] = each.trim().split(/\s*;\s*q=/);
    return name === encoding && quality !== '0';
  });
}

async function content(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined);
}
