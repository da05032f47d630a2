/** The headers that link to the next page. */
export function nextPage(url: string, token: string): Readonly<Record<string, string>> {
  const [path = '', query = ''] = url.split('?', 2);
  const next = new URLSearchParams(query);
  next.set('continue', token);
  return { continue: token, link: `<${path}?${next.toString()}>; rel="next"` };
}
