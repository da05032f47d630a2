import { Problem } from '../errors/index.ts';

/** The order of the methods in an `Allow` header. */
const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

interface Served {
  readonly words: readonly string[];
  readonly methods: Set<string>;
}

/**
 * The paths of a server and their methods. The router only reports that there is no route for a method and a path. This
 * class distinguishes a path that exists with other methods (405) from one that does not exist (404).
 */
export class ServedPaths {
  readonly #served = new Map<string, Served>();

  /** Adds a route in the syntax of Fastify, such as `/things/:thingID` or `/docs/*`. */
  add(url: string, methods: readonly string[]): void {
    const served = this.#served.get(url) ?? { words: url.split('/'), methods: new Set() };
    for (const method of methods) served.methods.add(method);
    this.#served.set(url, served);
  }

  /** The methods of a path; `/things/special` also matches `/things/:thingID`. Empty if the path does not exist. */
  methodsOf(url: string): readonly string[] {
    const words = (url.split(/[?#]/, 1)[0] ?? '').split('/');
    const found = this.#served.values().filter((served) => covers(served.words, words));
    const methods = new Set(found.flatMap((served) => served.methods));
    return known.filter((method) => methods.has(method));
  }

  /** The problem and the headers for a request that matches no route. */
  refusal(url: string): { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> } {
    const allow = this.methodsOf(url).join(', ');
    if (allow === '') return { problem: new Problem('not_found', 'this path does not exist'), headers: {} };
    return { problem: new Problem('method_not_allowed', `this path supports ${allow}`), headers: { allow } };
  }
}

function covers(template: readonly string[], words: readonly string[]): boolean {
  const open = template.at(-1) === '*';
  if (open ? words.length < template.length : words.length !== template.length) return false;
  return template.every(
    (word, index) => word === '*' || (word.startsWith(':') ? words[index] !== '' : word === words[index]),
  );
}
