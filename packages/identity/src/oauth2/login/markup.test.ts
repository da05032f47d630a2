import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { html } from './markup.ts';

describe('markup', () => {
  it('escapes external text in elements and attributes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(html`<a title="${text}">${text}</a>`.text).toMatch(/^<a title="[^<>"']*">[^<>"']*<\/a>$/s);
      }),
    );
  });

  it('keeps nested markup unchanged', () => {
    expect(html`<ul>${['<a>', 'b'].map((item) => html`<li>${item}</li>`)}</ul>${undefined}`.text).toBe(
      '<ul><li>&lt;a&gt;</li><li>b</li></ul>',
    );
  });
});
