import { platform } from '../platform.ts';

/** The type of a public key, the first word of its line. */
export function keyType(publicKey: string): string {
  return publicKey.trim().split(/\s+/)[0] ?? '';
}

/** The fingerprint that `ssh-keygen -l` prints; empty if the text is not a public key. */
export async function fingerprintOf(publicKey: string): Promise<string> {
  const encoded = publicKey.trim().split(/\s+/)[1] ?? '';
  try {
    const blob = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    if (blob.length === 0) return '';
    const digest = await platform.digest(blob);
    return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`;
  } catch {
    return '';
  }
}

/** Users paste the wrong file now and then. It must not leave the browser. */
export function isPrivateKey(text: string): boolean {
  return text.includes('PRIVATE KEY');
}
