/** Where the module of a thread is. In a package that is installed, sources are JavaScript. */
export function moduleBeside(name: 'worker' | 'examiner'): URL {
  return new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
}
