import { isLoopback } from './external-url.ts';

/** The addresses in the registration of an application. */
export interface ApplicationAddresses {
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  readonly loginUri?: string | undefined;
  readonly native?: boolean | undefined;
}

/** The first mistake in the addresses of an application, with its place; undefined if there is none. */
export function applicationMistake({
  redirectUris,
  postLogoutRedirectUris = [],
  loginUri,
  native = false,
}: ApplicationAddresses): string | undefined {
  const places: readonly (readonly [place: string, uri: string])[] = [
    ...redirectUris.map((uri, index) => [`redirectUris.${index}`, uri] as const),
    ...postLogoutRedirectUris.map((uri, index) => [`postLogoutRedirectUris.${index}`, uri] as const),
    ...(loginUri === undefined ? [] : [['loginUri', loginUri] as const]),
  ];
  for (const [place, uri] of places) {
    const mistake = uriMistake(uri);
    if (mistake) return `${place}: ${mistake}`;
  }
  const foreign = native ? redirectUris.findIndex((uri) => !isLoopback(new URL(uri))) : -1;
  return foreign < 0
    ? undefined
    : `redirectUris.${foreign}: a native application must use a loopback address, such as http://127.0.0.1/callback`;
}

/** Codes and users are sent there, so the connection must be encrypted. */
function uriMistake(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (!url || uri.trim() !== uri) return 'must be an absolute URL, such as https://app.example.com/callback';
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
    ? undefined
    : 'must begin with https://; http:// is allowed for loopback addresses only';
}
