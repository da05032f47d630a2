import { authorityConfig, authorityPart } from './authority.ts';
import type { ContentType } from './formats.ts';
import { multipartOf, withPart } from './multipart.ts';
import { byteEncoding, checkAugmentable, readUserData } from './recognise.ts';

/** The settings of the user for the first boot of a server. */
export interface FirstBoot {
  readonly userData?: Uint8Array | undefined;
  /** The public key of the certificate authority whose certificates may log in. */
  readonly authorityKey?: string | undefined;
}

/**
 * The user data for the guest: the data of the user with the certificate authority added. The user's own text is never
 * changed. The same input gives the same bytes, and adding the same authority again changes nothing.
 *
 * @example guestUserData({ userData: Buffer.from('#!/bin/sh\n…'), authorityKey: 'ssh-ed25519 AAAA…' })
 */
export function guestUserData({ userData = new Uint8Array(), authorityKey }: FirstBoot): Uint8Array | undefined {
  const text = authorityKey === undefined ? asUnderstood(userData) : withAuthority(userData, authorityKey);
  return text === '' ? undefined : Buffer.from(text, byteEncoding);
}

/** Without an authority, data of old servers is passed unchanged, even if it would be refused today. */
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
 * Python's mail parser corrupts unencoded text that is not ASCII. Plain ASCII is not encoded, because encoding adds a
 * third to the size.
 */
function partOf({ contentType, text }: { readonly contentType: ContentType; readonly text: string }): string {
  const plain = /^[\t\n -~]*$/.test(text);
  const body = plain ? text : Buffer.from(text, byteEncoding).toString('base64').replaceAll(/.{76}/g, '$&\n');
  return `Content-Type: ${contentType}\nMIME-Version: 1.0\nContent-Transfer-Encoding: ${plain ? '7bit' : 'base64'}\n\n${body}`;
}
