/**
 * The longest value of a parameter, in bytes. Whoever sends one may be anybody, and part of what they send goes into a
 * cookie.
 */
const longest: Readonly<Record<string, number>> = {
  /** Applications put a random value or a short JSON text here. */
  state: 1_024,
  redirect_uri: 1_024,
  post_logout_redirect_uri: 1_024,
  /** No mail address is longer. */
  login_hint: 320,
  /** A signed ID token of ours has some 900. It is checked and not kept. */
  id_token_hint: 4_096,
};

const longestOther = 256;

/** All that is kept together, so that it fits into one cookie. */
const longestTogether = 2_048;

/** Describes which parameter of an anonymous request is too long; undefined if none is. */
export function tooLong(parameters: URLSearchParams): string | undefined {
  let together = 0;
  for (const [name, value] of parameters) {
    const bytes = Buffer.byteLength(value);
    const limit = longest[name] ?? longestOther;
    if (bytes > limit)
      return name in longest ? `${name} is longer than ${limit} bytes` : `a parameter is longer than ${limit} bytes`;
    if (name !== 'id_token_hint') together += Buffer.byteLength(name) + bytes;
  }
  return together > longestTogether ? `the parameters are longer than ${longestTogether} bytes together` : undefined;
}
