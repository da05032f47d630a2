import { authorityConfig, authorityPart } from './authority.ts';
import type { ContentType } from './formats.ts';
import { multipartOf, withPart } from './multipart.ts';
import { byteEncoding, checkAugmentable, readUserData } from './recognise.ts';

/** The wishes of the user for the first boot of a server. */
export interface FirstBoot {
  readonly userData?: Uint8Array | undefined;
  /** The public key of the certificate authority whose certificates may log in. */
  readonly authorityKey?: string | undefined;
}

/**
 * The user data for the guest: the data of the user with the certificate authority added. The user's own text is never
 * parsed or written anew. The same input gives the same bytes, and adding the same authority again changes nothing.
 *
 * @example guestUserData({ userData: Buffer.from('#!/bin/sh\n…'), authorityKey: 'ssh-ed25519 AAAA…' })
 */
export function guestUserData({ userData = new Uint8Array(), authorityKey }: FirstBoot): Uint8Array | undefined {
  const text = authorityKey === undefined ? asUnderstood(userData) : withAuthority(userData, authorityKey);
  return text === '' ? undefined : Buffer.from(text, byteEncoding);
}

/** Without an authority, data of old servers that would be refused today goes in as it is. */
function asUnderstood(payload: Uint8Array): string {
  const userData = readUserData(payload);
  return 'text' in userData ? userData.text : Buffer.from(payload).toString(byteEncoding);
}

function withAuthority(payload: Uint8Array, authorityKey: string): string {
  const userData = checkAugmentable(payload);
  switch (userData.format) {
    case 'empty':
      return authorityConfig(authorityKey);
    case 'part':
      return userData.text === authorityConfig(authorityKey)
        ? userData.text
        : multipartOf([partOf(userData), authorityPart(authorityKey)]);
    case 'multipart':
      return withPart(userData.text, userData.multipart, authorityPart(authorityKey));
  }
}

/**
 * Python's mail parser garbles anything but ASCII that is not encoded; plain text stays plain, since encoding costs a
 * third of the room.
 */
function partOf({ contentType, text }: { readonly contentType: ContentType; readonly text: string }): string {
  const plain = /^[\t\n -~]*$/.test(text);
  const body = plain ? text : Buffer.from(text, byteEncoding).toString('base64').replaceAll(/.{76}/g, '$&\n');
  return `Content-Type: ${contentType}\nMIME-Version: 1.0\nContent-Transfer-Encoding: ${plain ? '7bit' : 'base64'}\n\n${body}`;
}
