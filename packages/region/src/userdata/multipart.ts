/** A MIME multipart message, parsed as far as needed to add a part without changing the others. */
export interface Multipart {
  readonly boundary: string;
  /** Each part with its headers, unchanged. */
  readonly parts: readonly string[];
  /** Where the delimiter that ends the message begins. */
  readonly end: number;
}

export type MultipartReading =
  | { readonly outcome: 'read'; readonly multipart: Multipart }
  | { readonly outcome: 'broken'; readonly reason: string }
  | { readonly outcome: 'other' };

/** Decides whether a text is a multipart message, something else, or an invalid multipart message. */
export function readMultipart(text: string): MultipartReading {
  const head = readHead(text);
  const type = head?.headers.get('content-type');
  if (!head || type === undefined) return { outcome: 'other' };
  if (!/^multipart\//i.test(type)) return broken('the content type of its MIME headers must be multipart');
  const boundary = boundaryOf(type);
  if (boundary === undefined) return broken('the multipart content type must name a boundary');
  return readParts(text, head.length, boundary);
}

function broken(reason: string): MultipartReading {
  return { outcome: 'broken', reason };
}

interface Head {
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Including the blank line that ends it. */
  readonly length: number;
}

/** Undefined unless all lines up to a blank line are headers; no header at all is valid too. */
function readHead(text: string): Head | undefined {
  const blank = /(?:^|\n)\r?\n/.exec(text);
  if (!blank) return undefined;
  const length = blank.index + blank[0].length;
  const lines = text
    .slice(0, blank.index)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
  const headers = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line.trimEnd()));
  if (headers.includes(null)) return undefined;
  return {
    headers: new Map(headers.map((header) => [header?.[1]?.toLowerCase() ?? '', header?.[2]?.trim() ?? ''])),
    length,
  };
}

function boundaryOf(type: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)+)"|([^\s;"]+))/i.exec(type) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
}

function readParts(text: string, start: number, boundary: string): MultipartReading {
  const delimiters = delimitersOf(text, start, boundary);
  const closing = delimiters.findIndex((delimiter) => delimiter.closing);
  const end = delimiters[closing];
  if (!end) return broken('the multipart message must end with its closing boundary');
  const parts = delimiters
    .slice(0, closing)
    .map(({ next }, index) => withoutLastNewline(text.slice(next, delimiters[index + 1]?.start)));
  if (parts.length === 0) return broken('the multipart message must contain at least one part');
  const bad = parts.findIndex((part) => !readHead(`${part}\n`));
  if (bad >= 0) return broken(`part ${bad + 1} of the multipart message must begin with MIME headers and a blank line`);
  return { outcome: 'read', multipart: { boundary, parts, end: end.start } };
}

/** The newline before a delimiter belongs to the delimiter. */
function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

interface Delimiter {
  readonly start: number;
  /** The start of the next line. */
  readonly next: number;
  readonly closing: boolean;
}

function delimitersOf(text: string, from: number, boundary: string): readonly Delimiter[] {
  const found: Delimiter[] = [];
  let start = from;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, next).trimEnd();
    if (line === `--${boundary}` || line === `--${boundary}--`)
      found.push({ start, next, closing: line !== `--${boundary}` });
    start = next;
  }
  return found;
}

/** cloud-init takes a message for MIME only if it finds this near the beginning. */
const mimeVersion = 'MIME-Version: 1.0';
const cloudInitLooksAt_bytes = 4096;

/**
 * The message with one more part at its end and all other bytes unchanged. It is returned unchanged if it already has
 * that part.
 */
export function withPart(text: string, { parts, boundary, end }: Multipart, part: string): string {
  const extended = parts.includes(part) ? text : `${text.slice(0, end)}--${boundary}\n${part}\n${text.slice(end)}`;
  const isMime = text.slice(0, cloudInitLooksAt_bytes).toLowerCase().includes('mime-version:');
  return isMime ? extended : `${mimeVersion}\n${extended}`;
}

/** A message of these parts, with a boundary that none of them contains. */
export function multipartOf(parts: readonly string[]): string {
  let boundary = 'unikorn-user-data';
  while (parts.some((part) => part.includes(boundary))) boundary += '-';
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join('');
  return `Content-Type: multipart/mixed; boundary="${boundary}"\n${mimeVersion}\n\n${body}--${boundary}--\n`;
}
