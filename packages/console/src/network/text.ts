import { linesOf } from '../parts/lines.ts';
import { words } from '../words/index.ts';

export interface Route {
  readonly prefix: string;
  readonly nexthop: string;
}

/** Routes as a text with one in each line, for a form. */
export function routeText(routes: readonly Route[]): string {
  return routes.map(({ prefix, nexthop }) => `${prefix} ${nexthop}`).join('\n');
}

/** The routes of such a text, or what is wrong with it. */
export function parseRoutes(text: string): { readonly routes: Route[]; readonly problem?: string } {
  const parsed = linesOf(text).map((line) => ({ line, parts: line.split(/\s+/) }));
  const wrong = parsed.find(({ parts }) => parts.length !== 2);
  const routes = parsed.map(({ parts: [prefix = '', nexthop = ''] }) => ({ prefix, nexthop }));
  return wrong ? { routes, problem: words.network.wrongRoute(wrong.line) } : { routes };
}

/** How many addresses a prefix has. */
export function sizeOf(prefix: string): number {
  return 2 ** (32 - Number(prefix.split('/')[1] ?? 32));
}

/** An address as a number. */
export function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
