import { hash } from 'node:crypto';

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0;min-height:100vh;display:grid;place-items:center;text-align:center}';

const texts = {
  done: { title: 'You are logged in', text: 'You can close this page and go back to the terminal.' },
  failed: { title: 'The login failed', text: 'The terminal shows the reason. You can close this page.' },
} as const;

/** The last page in the browser. Its address contains a code, so the page loads nothing from other servers. */
export function finishedPage(outcome: keyof typeof texts): {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const { title, text } = texts[outcome];
  return {
    body: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>\n`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'`,
      'referrer-policy': 'no-referrer',
    },
  };
}
