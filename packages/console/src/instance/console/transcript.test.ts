import { expect, it } from 'vitest';

import { Transcript } from './transcript.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (shown: Uint8Array) => new TextDecoder().decode(shown);

/** What is shown, with a mark where the text begins anew. */
function shownBy(transcript: Transcript, ...pieces: readonly string[]): string {
  return pieces
    .map((piece) => {
      const { bytes: shown, begunAnew } = transcript.output(bytes(piece));
      return `${begunAnew ? '|' : ''}${textOf(shown)}`;
    })
    .join('');
}

function connected(transcript: Transcript, ...pieces: readonly string[]): string {
  transcript.opened();
  return shownBy(transcript, ...pieces);
}

it('the first connection shows everything', () => {
  const transcript = new Transcript();
  expect(connected(transcript, 'boot\n', 'login: ')).toBe('boot\nlogin: ');
  expect(textOf(transcript.text)).toBe('boot\nlogin: ');
});

it('what a new connection repeats is not shown again, however it is cut into pieces', () => {
  const transcript = new Transcript();
  connected(transcript, 'boot\nlogin: ');
  expect(connected(transcript, 'bo', 'ot\nlog', 'in: root\n', '# ')).toBe('root\n# ');
  expect(textOf(transcript.text)).toBe('boot\nlogin: root\n# ');
});

it('a console that lost its text, or begins with other text, is shown from its start', () => {
  const transcript = new Transcript();
  connected(transcript, 'boot 1\n');
  expect(connected(transcript, 'boot ', '2\n')).toBe('|boot 2\n');
  expect(textOf(transcript.text)).toBe('boot 2\n');
});

it('a text that is too long to be compared is shown from its start', () => {
  const transcript = new Transcript(4);
  connected(transcript, '123456');
  expect(textOf(transcript.text)).toBe('3456');
  expect(connected(transcript, '123456')).toBe('|123456');
});

it('a new connection that has sent less than before leaves the text as it is', () => {
  const transcript = new Transcript();
  connected(transcript, 'boot\nlogin: ');
  expect(connected(transcript, 'boot\n')).toBe('');
  expect(textOf(transcript.text)).toBe('boot\nlogin: ');
});
