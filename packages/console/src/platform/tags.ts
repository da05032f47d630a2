import type { Tag } from '@unikorn/sdk';

/** Tags as they are written: name=value, separated by commas or spaces. */
export function tagsOf(text: string): Tag[] {
  return text
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', ...value] = each.split('=');
      return { name, value: value.join('=') };
    });
}

export function tagText(tags: readonly Tag[] = []): string {
  return tags.map(({ name, value }) => `${name}=${value}`).join(' ');
}
