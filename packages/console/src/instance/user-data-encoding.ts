/** User data as the API takes it. */
export function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** The text of user data that the API gave. */
export function textOf(data = ''): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.codePointAt(0) ?? 0));
}
