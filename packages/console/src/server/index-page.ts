/** Stands in the built index page for the value that each response has anew. */
export const noncePlaceholder = 'NONCE_OF_THE_RESPONSE';

const publicUrlPlaceholder = '%PUBLIC_URL%';

/** The index page of one response. */
export function indexPage(
  template: string,
  { nonce, publicUrl }: { readonly nonce: string; readonly publicUrl: string },
): string {
  return template.replaceAll(noncePlaceholder, nonce).replace(publicUrlPlaceholder, escaped(publicUrl));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Shown while the pages are being built. It loads itself again until they are there. */
export function preparingPage(state: { readonly step: string } | { readonly failure: string }): string {
  const [title, text] =
    'failure' in state
      ? ['The console cannot be shown', `Its pages could not be built: ${escaped(state.failure)}`]
      : [
          'The console is being prepared',
          `This happens once, and takes a few seconds (${escaped(state.step)}). This page loads itself again.`,
        ];
  const refresh = 'failure' in state ? '' : '<meta http-equiv="refresh" content="1">';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">${refresh}<title>${title}</title></head>
<body><main><h1>${title}</h1><p role="status">${text}</p></main></body>
</html>
`;
}
