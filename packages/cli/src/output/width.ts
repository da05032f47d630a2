import { createRequire } from 'node:module';

import { valueAt } from '../documents.ts';

const ordinary = /^[\x20-\x7e]*$/;
const load = createRequire(import.meta.url);
let full: ((text: string) => number) | undefined;

/**
 * The number of columns of a text in a terminal. The library knows colours, wide characters and emoji. Loading it takes
 * longer than most commands, and most texts are ASCII, so it is loaded when a text needs it.
 */
export function displayWidth(text: string): number {
  if (ordinary.test(text)) return text.length;
  full ??= loaded();
  return full(text);
}

function loaded(): (text: string) => number {
  const library: unknown = load('string-width');
  const measure = typeof library === 'function' ? library : valueAt({ ...Object(library) }, 'default');
  if (typeof measure !== 'function') throw new TypeError('string-width has no default export');
  return (text) => Number(Reflect.apply(measure, undefined, [text]));
}
