import { Problem } from '@unikorn/core/errors';

import { announcedType, firstLine, knownMarkers, type ContentType } from './formats.ts';
import { readMultipart, type Multipart } from './multipart.ts';

/** User data that cloud-init understands. Texts have one character for each byte, so that no data is lost. */
export type UserData =
  | { readonly format: 'empty' }
  | { readonly format: 'part'; readonly contentType: ContentType; readonly text: string }
  | { readonly format: 'multipart'; readonly multipart: Multipart; readonly text: string }
  | { readonly format: 'gzip'; readonly text: string };

export interface Unrecognised {
  readonly format: 'unrecognised';
  readonly reason: string;
}

/** The encoding in which each byte is one character. */
export const byteEncoding = 'latin1';

/**
 * The type of a payload for cloud-init. A payload that was base64-encoded twice, as the Terraform provider does, is
 * decoded again.
 */
export function readUserData(payload: Uint8Array): UserData | Unrecognised {
  const text = Buffer.from(payload).toString(byteEncoding);
  const plain = readText(text);
  if (plain.format !== 'unrecognised') return plain;
  const decoded = decodedOnce(text);
  const inner = decoded === undefined ? plain : readText(decoded);
  return inner.format === 'unrecognised' && decoded !== undefined
    ? { ...inner, reason: `after decoding its base64, ${inner.reason}` }
    : inner;
}

function readText(text: string): UserData | Unrecognised {
  if (text === '') return { format: 'empty' };
  if (text.startsWith('\x1f\x8b')) return { format: 'gzip', text };
  const contentType = announcedType(text);
  if (contentType) return { format: 'part', contentType, text };
  if (firstLine(text) === '') return unrecognised('the first line must not be blank');
  const reading = readMultipart(text);
  switch (reading.outcome) {
    case 'read':
      return { format: 'multipart', multipart: reading.multipart, text };
    case 'broken':
      return unrecognised(reading.reason);
    case 'other':
      return unrecognised(
        `it must be cloud-init user data: begin with one of ${knownMarkers.join(', ')}, or be a MIME multipart message`,
      );
  }
}

function unrecognised(reason: string): Unrecognised {
  return { format: 'unrecognised', reason };
}

/** Decodes a text that is completely base64; its lines may be wrapped. */
function decodedOnce(text: string): string | undefined {
  const joined = text.replaceAll(/\s/g, '');
  const decoded = Buffer.from(joined, 'base64');
  return joined !== '' && decoded.toString('base64') === joined ? decoded.toString(byteEncoding) : undefined;
}

/** Refuses user data that cloud-init would not understand. */
export function checkUserData(payload: Uint8Array): UserData {
  const userData = readUserData(payload);
  if (userData.format === 'unrecognised') throw refusal(userData.reason);
  return userData;
}

/** Also refuses user data to which a certificate authority cannot be added. */
export function checkAugmentable(payload: Uint8Array): Exclude<UserData, { readonly format: 'gzip' }> {
  const userData = checkUserData(payload);
  if (userData.format === 'gzip')
    throw refusal(
      'it must not be compressed when an SSH certificate authority is set, because the authority cannot be added to compressed data',
    );
  return userData;
}

function refusal(reason: string): Problem {
  return new Problem('unprocessable_content', `spec.userData: ${reason}`);
}
