/** HTML in which all external text is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Part = string | Markup | readonly Markup[] | undefined;

function rendered(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => entities[character] ?? '');
  return part.map(rendered).join('');
}

/**
 * A template whose values are escaped, unless they are markup.
 *
 * @example html`<p>${name}</p>`
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(texts.map((text, index) => text + rendered(parts[index])).join(''));
}
