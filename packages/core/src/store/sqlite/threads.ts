/** The URL of the module of a thread. In an installed package, sources are JavaScript. */
export function moduleBeside(name: 'worker' | 'examiner'): URL {
  return new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
}
