import { limits } from '../limits.ts';

/**
 * The longest value of a parameter, in bytes. Any client can send such a request, and a part of it is stored in a
 * cookie.
 */
const longest: Readonly<Record<string, number>> = {
  /** Applications put a random value or a short JSON text here. */
  state: 1_024,
  redirect_uri: 1_024,
  post_logout_redirect_uri: 1_024,
  /** The longest mail address. */
  login_hint: 320,
  /** A signed ID token of this platform has about 900. It is checked and not stored. */
  id_token_hint: 4_096,
};

/** Returns which parameter of an anonymous request is too long; undefined if none is. */
export function tooLong(parameters: URLSearchParams): string | undefined {
  let together = 0;
  for (const [name, value] of parameters) {
    const bytes = Buffer.byteLength(value);
    const limit = longest[name] ?? limits.loginParameterLength;
    if (bytes > limit)
      return name in longest ? `${name} is longer than ${limit} bytes` : `a parameter is longer than ${limit} bytes`;
    if (name !== 'id_token_hint') together += Buffer.byteLength(name) + bytes;
  }
  return together > limits.loginParametersLength
    ? `the parameters are longer than ${limits.loginParametersLength} bytes together`
    : undefined;
}
